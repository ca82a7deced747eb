"""Words for the same thing, English and Chinese side by side, as data: each row is one meaning."""

__all__ = ["EXPANDED", "SAME"]

SAME = """
    revenue revenues turnover sales_revenue proceeds 收入 营收 营业额 营业收入|income incomes|sales sale_volume sales_figures 销售 销售额 销量|
    profit profits earnings 利润 盈利|margin margins 利润率|gross_margin 毛利率|net_margin 净利率|gross_profit 毛利|net_profit 净利润|cost costs 成本|expense expenses expenditure expenditures operating_expenses opex 费用 开销|spending spend 支出 花费|
    price prices pricing 价格 价钱 单价 定价 价|budget budgets 预算|discount discounts rebate rebates price_cut 折扣 优惠|
    tax taxes vat sales_tax value_added_tax 税 税费 增值税|shipping delivery_cost delivery_costs freight postage shipping_costs 运费 邮费|invoice invoices bill bills billing 发票 账单|
    payment payments pay pays paid paying settle settles settled 付款 支付 付 缴费 付清 结清 收到款项 款项到账 收到货款 收款|refund refunds refunded reimbursement money_back 退款 退费|order orders purchase_order purchase_orders 订单 下单|
    cancel cancels cancelled canceled cancelling cancellation cancellations called_off 取消 撤销 退订|return returns returned returning 退货 回访 返回|
    visit visits visitor visitors session_visits 访客 来访者 来访人员 访问 访问量 访客数 访问数|traffic 流量|session sessions 会话|conversion conversions convert 转化|rate rates 率|
    churn attrition 流失|gmv gross_merchandise_volume gross_merchandise_value 成交总额 商品交易总额|aov average_order_value 客单价|arpu average_revenue_per_user|ltv lifetime_value customer_lifetime_value clv 生命周期价值|
    cac customer_acquisition_cost acquisition_cost 获客成本|roi return_on_investment 投资回报率|kpi kpis key_performance_indicator key_performance_indicators 关键指标|mau monthly_active_users 月活|dau daily_active_users 日活|
    cogs cost_of_goods_sold 销货成本|mrr monthly_recurring_revenue|arr annual_recurring_revenue|nps net_promoter_score|sla service_level_agreement|
    report reports reporting 汇报 报表 报告 报告书|周报 weekly_report|月报 monthly_report monthly_summary|日报 daily_report|summary summaries summarise summarize recap overview overviews wrap-up 总结 摘要 概览 汇总 概要 概述|
    dashboard dashboards 仪表盘 看板 仪表板|chart charts graph graphs plot plots plotted plotting diagram diagrams 图表 图 图形|heading headings headline headlines title titles header headers 标题 抬头|legend 图例|
    document documents doc docs 文档|presentation_deck|page pages 页 页面|paragraph_text|sentence sentences 句子|word_count|comment comments annotation annotations remark remarks 注释 备注 批注|message messages msg 消息 信息推送|
    meeting meetings meet meets met get_together gets_together gather gathers gathering 聚 聚会 聚一聚 call_meeting appointment appointments 会议 会|stand-up standup stand_up daily_standup 站会 晨会|conference conferences|interview interviews 面试 访谈|calendar 日历|deadline_date|trip trips travel travels travelling traveling 旅行 出差 旅游|
    language languages 语言|currency currencies 货币 币种|colour color colours colors 颜色 色|timezone timezones time_zone time_zones 时区|timestamp timestamps time_stamp 时间戳|date dates 日期|time clock times 时间|
    temperature temperatures 温度 气温|distance distances 距离|weight weights 重量|percentage_value|interval intervals 间隔|duration_value|frequency 频率|
    negative negatives 负 负数 负值 负的|positive positives 正 正数 正值|zero zeros zeroes 零|empty blank null missing 空 空值 缺失 缺失值|duplicate duplicates duplicated repetition repetitions repeated 重复 重复项 重复值|outlier outliers 异常值 离群值|
    active 活跃|activity activities action_taken interaction 活动 操作|login logins log_in logs_in logged_in logging_in sign_in signed_in signs_in 登录 登陆|logout log_out logged_out sign_out|register registered registers registration sign_up signed_up signup 注册|
    account accounts 账号 账户 帐号|password passwords 密码|permission_level|test tests testing unit_test unit_tests 测试|pass_through|review reviews reviewed reviewing reviewer 评审 审查 审核 复核|commit commits committed committing 提交|
    deploy deploys deployed deployment deployments deploying roll_out rolled_out rollout release releases released 部署 发布 上线|pull_request pull_requests pr prs merge_request merge_requests 合并请求|branch branches 分支|repository repositories repo repos 仓库代码 代码库|
    code source_code 代码 源码|script scripts 脚本|function_name|variable variables 变量|identifier identifiers 标识符|keyword keywords 关键字 关键词|indentation indent indents indented indenting 缩进|library libraries package packages 库 包|framework frameworks 框架|
    database databases db data_base 数据库 库|分析库 分析数据库 analytics_database|table_name 表 数据表|view_name 视图|schema schemas 模式定义|index_on indexes 索引|join joins joined joining link linked links linking connect connected 关联 连接 联结 联接|
    filter filters filtered filtering 过滤 筛选|group groups grouped grouping aggregate aggregated break_down broken_down breakdown 分组 汇总到 聚合|partition partitions 分区|backup backups back_up backs_up backed_up backing_up 备份|restore restored restoring recover recovered recovery 恢复 还原|
    log logs logging logfile logfiles log_file log_files 日志|job jobs task tasks batch_job 任务 作业|nightly_job 夜间任务 夜间作业|pipeline pipelines 流水线 管道|warehouse data_warehouse 数仓 数据仓库|server servers 服务器|
    api apis 接口 应用接口|api_key|key_name keys key 密钥 键|token tokens 令牌|call calls called_api invocation 调用|request_to|error errors exception exceptions bug bugs defect defects 错误 报错 异常 缺陷 漏洞问题|retry retries retried retrying try_again tried_again repeat 重试 再试|timeout timeouts time_out 超时|
    disk disks hard_drive 磁盘 硬盘|usage_level utilization utilisation 利用率 使用率 占用 占用率|memory ram 内存|cpu processor 处理器|network 网络|cache caches cached caching 缓存|
    experiment experiments 实验|machine_learning ml 机器学习|model models 模型|track tracks tracked tracking trace monitor monitors monitored monitoring 跟踪 追踪 监控|train_model training 训练|hypothesis hypotheses 假设|
    customer_service support_team 客服|satisfaction satisfied 满意度 满意|survey surveys questionnaire questionnaires poll 调查 问卷|feedback 反馈|score scores rating ratings 评分 得分 分数|complaint complaints 投诉|
    contract contracts agreement agreements 合同 协议|project projects 项目|product products goods merchandise 商品 产品 货物|catalogue catalog catalogues catalogs 目录价 商品目录|inventory stock stocks 库存 存货|stocktake inventory_count stock_count stock-taking 盘点|
    store_shop shop shops stores outlet outlets 门店 店铺 商店|region regions area areas territory 地区 区域 大区|city cities town 城市|country countries nation 国家|office offices workplace 办公室|headquarters head_office hq 总部|street_address 地址|
    department departments division 部门|sales_team 销售团队|finance_team|management board executives leadership 管理层|leader lead leads head_of heads led 带领 领导者 负责人|member members membership 会员 成员|
    late delayed delay delays tardy overdue 延误 晚了 晚 太晚 延迟 逾期 迟|delivery deliveries 送货 配送 交货|damaged broken defective 破损 损坏|redesign relaunch revamp redesigned 改版 重新设计|mobile 移动端 移动 手机端|desktop 桌面端 电脑端|campaign campaigns 活动营销 广告活动|advertising ads advert adverts ad 广告|
    quarterly_figures 季度数据|fiscal_year financial_year 财政年度 财年 财务年度 会计年度|calendar_year 自然年|quotient 相除|plus add added adding 加 加上 相加|multiply multiplied times_by 乘 乘以|
    allergy allergies allergic 过敏症 过敏|peanut peanuts 花生|nuts nut 坚果|spicy hot_food 辣 吃辣|eat eats ate eating 吃|drink drinks drank drinking 喝|food 食物|restaurant restaurants 餐厅 餐馆|hotel hotels 酒店|child children kid kids 孩子 小孩|dog dogs 狗|cat cats 猫|wife spouse 妻子 太太|husband 丈夫|birthday 生日|
    ranking leaderboard league_table|example examples sample samples 例子 示例 样例|explanation explain explains explained explaining 解释|source sources reference references citation citations cite cites cited citing 来源 出处 引用|step_by_step 一步一步 逐步|
    emoji emojis emoticon emoticons smiley smileys 表情 表情符号|greeting salutation 问候 称谓|signature 签名 署名|status 状态|update updates status_update status_updates 更新|personal_data personal_information pii personally_identifiable_information 个人信息 个人数据|sensitive confidential 敏感 机密|
    encrypt encrypted encryption encrypting 加密|delete_project|archive archived archives archiving 归档 存档|purge|refresh refreshed refreshes refreshing reload 刷新|compare compared comparing 比较 对比|cohort cohorts 同期群|segment segments segmentation 细分|
    cleaned clean cleansed cleaning cleanup 清洗 清洗后 清洗好 清理|raw 原始|final 最终|draft drafts 草稿|monthly_summaries 月度总结 每月的总结 每月总结|quality 质量|version versions 版本|technical 技术|simple plain easy straightforward 简单 通俗|complex complicated 复杂|
    important significant 重要|urgent 紧急|critical 关键|correct right_answer accurate 正确 准确|wrong incorrect 错误的|unique distinct 唯一 不同 去重后|precision|accuracy 准确率|workflow process_flow 流程|rule rules 规则|policy policies 政策|
    corporate_colour corporate_color brand_colour brand_color company_colour 企业色 品牌色|logo logos 标志|font fonts typeface 字体|stock_market|interest_rate|exchange_rate 汇率|bank 银行|cash 现金|credit_card 信用卡|tip tips hint hints advice 建议 提示|
    threshold thresholds cutoff cut-off 阈值 门槛|target targets goal goals objective 目标|forecast forecasts prediction predictions predict predicted 预测|year_end end_of_year end_of_the_year 年底 年末 底|month_end end_of_month end_of_the_month 月底 月末|start_of_month 月初|
    subscribe subscribed subscription subscriptions 订阅|newsletter newsletters|engineer engineers developer developers programmer 工程师 开发者 开发人员|analyst analysts 分析师|scientist|consultant|professional job_title occupation profession 职业|study studies studied 学习|hobby hobbies 爱好|music 音乐|movie movies film films 电影|book books 书|
    bike bicycle cycling cycle 自行车|walk walking on_foot 步行|remote remotely work_from_home works_from_home working_from_home work_remotely works_remotely working_remotely telework telecommute home_office 远程 远程办公 在家办公 居家办公 远程工作 在家工作|hybrid|onsite on-site in_the_office 现场|expensive_for|insurance 保险|medicine medication 药|doctor_visit|gym|run_marathon marathon 马拉松|
    beginner beginners novice new_to newcomer 刚开始学 初学 刚学 入门者 初学者 新手|expert experts 专家|experience experienced 经验|background_info|背景信息|assumption assumptions 假定|limitation limitations 局限|recommendation recommendations recommend recommended suggest suggested suggestion 推荐|
    click clicks 点击|impression impressions 曝光|open_rate 打开率|bounce bounces 跳出|download_count|page_view page_views pageviews pageview 浏览量|unique_visitor unique_visitors 独立访客|install installs installation installed 安装|crash crashes 崩溃|
    salary salaries wage wages 工资 薪资|hire hires hired recruit recruited 招聘|overtime 加班|vacation leave_days annual_leave paid_leave 年假 休假|sick_leave 病假|attendance 出勤|performance 绩效 性能|bonus bonuses 奖金|
    anonymous anonymised anonymized anonymous_data 匿名|paid_order 已付款 已支付|completed complete 完成|in_progress|pending 待处理 待定|
"""

EXPANDED = """
    每晚=每天 晚上|每早=每天 早上|主因=主要 原因|inactive=without active|inactivity=without activity|idle=without activity|unpaid=without paid|uncancelled=without cancelled|dedupe=remove duplicates|
    deduplicate=remove duplicates|deduplicated=duplicates were removed|deduplication=remove duplicates|deduplicating=remove duplicates|incomplete=without complete|tax-free=without tax|
    meatless=without meat|sugar-free=without sugar|alcohol-free=without alcohol|paperless=without paper|non-alcoholic=without alcohol|unsubscribed=without subscribed|
    去重=去除 重复|无效=无 有效|失效=无 有效|去除重复=去除 重复|不活跃=无 活跃|按降序=降序|素颜=无 妆|biannual=twice_a_year|nil=zero|emailed=sent email|emailing=sending email|texted=sent sms|
    pre-deployment=before deployment|post-deployment=after deployment
"""
"""What stands for several words, and those words."""
