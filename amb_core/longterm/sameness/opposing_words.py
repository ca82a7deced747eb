"""Words of which only one can hold: `name: one another | two | ...`, synonyms side by side, as data.

The rows name what a conflict is about. That two texts are not taken for the same does not depend on them: a word that
stands in none of the rows differs from every other word.
"""

__all__ = ["NEGATORS", "OPPOSED", "STRICT"]

OPPOSED = """
colour: red 红色 红|blue 蓝色 蓝|green 绿色 绿|yellow 黄色|orange 橙色 橘色|purple violet 紫色|pink 粉色 粉红色|black 黑色|white 白色|grey gray 灰色|brown 棕色 褐色|navy 藏青色 海军蓝|teal 墨绿色 青绿色|cyan 青色|gold golden 金色|silver 银色|turquoise|beige 米色|magenta|crimson
shade: dark 深色 暗色 夜间模式 暗黑 深 黑暗|light bright 浅色 亮色 明亮 浅
size: large big bigger larger huge 大 大型 较大|small smaller tiny little 小 小型 较小|medium mid-sized 中型
length: short brief concise succinct terse compact to_the_point keep_it_short short_form in_short 简短 简洁 简明 简要 精简 短 言简意赅 简练|long detailed lengthy verbose thorough in_depth elaborate extensive comprehensive in_detail 详细 详尽 长 冗长 全面 具体详细
tone: formal formally formality businesslike 正式 书面|casual casually informal informally relaxed colloquial 随意 非正式 口语 口语化 轻松|friendly 友好 亲切|humorous funny 幽默|neutral 中性
speed: fast faster quick quicker quickly rapid rapidly speedy 变快 速度提升 速度提高 速度加快 提速 speed_up speeds_up sped_up speeding_up 加快 更快 快速地 快 快速 迅速|slow slower slowly 变慢 更慢 慢 缓慢
number_case: singular 单数|plural 复数
letters: uppercase upper_case capital capitals capitalized capitalised all_caps caps 大写|lowercase lower_case small_letters 小写|title_case|camelcase camel_case 驼峰|snake_case snakecase 下划线命名|kebab_case|pascalcase pascal_case
indent: tab tabs 制表符|space spaces 空格
punctuation: comma commas 逗号|semicolon semicolons 分号|full_stop a_point a_period a_dot dots 句号 句点|colon colons 冒号|dash dashes hyphen hyphens 破折号 连字符|slash slashes 斜杠
quotes: single_quotes single_quote 单引号|double_quotes double_quote 双引号
direction: ascending ascendingly asc increasing_order smallest_first lowest_first low_to_high lowest_to_highest smallest_to_largest oldest_first earliest_first ascending_order 升序 从旧到新 由旧到新 由远到近 从早到晚 由早到晚 从低到高 由低到高 从小到大 由小到大 正序|descending descendingly desc decreasing_order largest_first highest_first biggest_first high_to_low highest_to_lowest largest_to_smallest newest_first most_recent_first latest_first descending_order 降序 从新到旧 由新到旧 由近到远 从晚到早 由晚到早 从高到低 由高到低 从大到小 由大到小 倒序 逆序
alphabet: alphabetical alphabetically 字母顺序|chronological chronologically 时间顺序
trend: increase increases increased increasing grow grows grew grown growing growth rise rises rose risen rising climb climbed gain gained up upward went_up go_up 增长 增加 上升 上涨 涨 升 提高 提升 上浮 增大 调大 调高 加大 升高 攀升 上调 增至 升至 涨到 升到 增加到 增加至 raise raises raised 增 增幅 涨幅|decrease decreases decreased decreasing fall falls fell fallen falling drop drops dropped decline declines declined declining shrink shrank shrunk reduce reduced reduces reduction cut cuts lower_than_before lowered lowers shorten shortened shortens 缩短 减小 调小 调低 缩小 缩减到 降到 降至 降低到 减到 减至 压缩到 下调 down downward went_down go_down sink sank 下降 减少 下跌 下滑 跌 降 降低 降幅 跌幅 缩减|stable unchanged flat constant 持平 不变 稳定
backup: 全量 full_backup complete_backup full_load|增量 incremental incrementally incremental_backup|差异备份 differential
extent: highest largest biggest greatest strongest number_one 头号 最高 最大|lowest smallest weakest 最低 最小
rank: best 最佳|worst 最差
edge: first top top_most earliest leading 首 第一 最前 最早 首位|last past bottom latest_of final trailing 最近 近 过去 末 末尾 最后 倒数 最末
ages: new newer newest recent latest 新 最新|old older oldest outdated 旧 老
price: cheap cheapest inexpensive low-cost 便宜 最便宜|expensive priciest costly most_expensive 贵 昂贵 最贵
daypart: morning mornings a.m. 上午 早上 早晨 清晨 早|afternoon afternoons 下午|evening evenings 晚上 傍晚 晚间|night nights overnight nightly nighttime 夜间 深夜 夜里 夜晚 每晚|noon midday lunchtime 中午 正午|midnight 午夜 零点|dawn 凌晨
week_part: weekday weekdays working_day working_days workday workdays business_day business_days 工作日 平日|weekend weekends 周末 双休日|holiday holidays 节假日 假期
season: spring 春季 春天|summer 夏季 夏天|autumn 秋季 秋天|winter 冬季 冬天
weekday: monday mondays mon|tuesday tuesdays tue tues|wednesday wednesdays|thursday thursdays thu thurs|friday fridays|saturday saturdays|sunday sundays
relative_day: today 今天 今日|tomorrow 明天|yesterday 昨天|day_before_yesterday 前天|day_after_tomorrow 后天
relative_period: this_week current_week 本周 这周|last_week previous_week past_week 上周|next_week coming_week 下周
relative_month: this_month current_month 本月 这个月|last_month previous_month past_month 上月 上个月|next_month 下月 下个月
relative_quarter: this_quarter current_quarter 本季度|last_quarter previous_quarter prior_quarter 上季度 上个季度|next_quarter 下季度
relative_year: this_year current_year 今年 本年|last_year previous_year prior_year past_year year_before 去年 上年 去年同期 上年同期|next_year 明年
compared: year_over_year year-over-year yoy year_on_year y/y from_a_year_earlier than_a_year_earlier compared_to_the_previous_year compared_with_the_previous_year compared_to_last_year compared_with_last_year versus_last_year 同比 比去年同期 较去年同期 与去年同期相比 比去年 较上年同期 比上年同期 比上年|month_over_month mom month_on_month 环比 比上月 较上月|quarter_over_quarter qoq quarter_on_quarter
period: hourly every_hour each_hour per_hour 每小时 每个小时|daily by_day every_day each_day per_day once_a_day once_per_day day_by_day 每天 每日 天天 每一天|weekly by_week every_week each_week per_week once_a_week once_per_week a_week 每周 每星期 每个星期 每一周 周度|biweekly bi-weekly every_two_weeks fortnightly every_other_week 每两周 双周|monthly by_month 以月份为单位 以月为单位 按月份 every_month each_month per_month once_a_month once_per_month a_month 每月 每个月 月度 按月|quarterly by_quarter every_quarter each_quarter per_quarter once_a_quarter 每季度 每季 每个季度 季度 按季度|yearly by_year annually annual every_year 一年一次 一年一度 each_year per_year once_a_year once_per_year a_year 每年 年度 按年|half-yearly semiannual semi-annually twice_a_year 每半年 半年|nightly_run every_night each_night|every_minute per_minute 每分钟|per_second 每秒
often: sometimes occasionally at_times from_time_to_time now_and_then 有时 偶尔 有时候|rarely seldom hardly_ever scarcely 很少 极少 罕见|often frequently regularly 经常 常常 定期 时常|constantly continuously 不断 持续
quantity: some 有些 一些 部分|most majority mostly 大多数 大部分 多数 大多 多半 绝大多数 绝大部分|half 一半|few a_few several minority 少数 几个 若干|many 许多 很多|none_of
comparison: more_than over_and_above exceed exceeds exceeded exceeding greater_than larger_than higher_than bigger_than longer_than older_than in_excess_of above beyond surpass surpasses 超过 大于 高于 多于 超出 逾 长于 晚于|less_than below fewer_than lower_than smaller_than shorter_than younger_than under falls_short_of 低于 小于 少于 不到 不足 不满 短于 早于|at_least minimum minimal no_less_than not_less_than no_fewer_than not_fewer_than or_more or_above or_higher and_above 至少 最少 不少于 不低于 不小于 最低限度 不得少于 不得低于 不能少于 不能低于 不应低于 不可少于 最低为 最少为 最少要 至少要 下限 下限为 下限是 minimum_of at_the_very_least at_least_one or_more_times lower_limit 以上 及以上|at_most maximum maximal max no_more_than not_more_than not_exceed not_exceeding up_to or_less or_fewer or_below no_greater_than not_above no_longer_than capped_at cap limited_to limit_of limit limits limited upper_limit 限制 限制为 限 至多 最多 不超过 不多于 不高于 不大于 不得超过 别超过 勿超过 控制在 限定在 不要超过 不能超过 不应超过 不可超过 不会超过 不许超过 不得多于 不得大于 不得高于 不能大于 不能高于 不能多于 最大为 最高为 最多为 最长为 最大不超过 最高不超过 最多不超过 最长不超过 最多能 最多可 最多可以 上限为 上限是 封顶 maximum_of no_bigger_than no_larger_than no_higher_than not_bigger_than not_larger_than not_higher_than must_not_exceed limited_at restricted_to at_the_most 上限 以下 及以下 限制在 限
more: more additional extra 更多 多|less fewer 更少 少
when: before prior_to earlier_than ahead_of 之前 以前|after following later_than past_the 之后 以后的 过后|within inside 内|during 期间内
until: until till by_the_end due deadline expire expires expired expiry end ends ended ending finish finishes finished finishing close_date runs_out no_later_than not_later_than 截止 截至 截止日期 截止日 截止时间 到期 过期 失效 结束 期限 完 完毕 止 为止|start starts started starting begin begins began beginning commence commences commencing kick_off kicks_off since from_date 开始于 始于 开始 启动 起始 起 自从 自 起步 开头 开头
place: outside 以外 之外 外|outdoors 室外|indoors 室内
side: left left-hand 左 左侧 左边|right right-hand 右 右侧 右边|center centre middle centered 中间 居中|upper 上方 顶部|lower 下方 底部
compass: north northern 北部 北方 华北|south southern 南部 南方 华南|east eastern 东部 东方 华东|west western 西部 西方 华西|northeast 东北|northwest 西北|southeast 东南|southwest 西南
rounding: round_up rounded_up ceiling 向上取整|round_down rounded_down floor truncate 向下取整 截断|round rounded rounding round_off rounded_off 四舍五入
whole: whole integer integers whole_numbers whole_number full_number 整数|decimal decimals decimal_places decimal_place decimal_digits decimal_point 小数 小数点 小数点后
gross: gross pre-tax before_tax pretax 毛 税前|net after-tax after_tax post-tax 净 税后
state: open opened opens opening_hours 开业 开张 打开的 未结 开门 营业 开始营业 开放营业|closed close closes shut shuts 已关闭 关门 打烊 停止营业
truth: true 真|false 假
outcome: success succeed succeeds succeeded successful successfully 成功|fail fails failed failing failure failures unsuccessful 失败
visibility: public publicly 公开 公共|private privately 私有 私人 私密
inner: internal internally in-house 内部|external externally third-party 外部
duty: mandatory compulsory obligatory 强制 必填|optional optionally voluntary 可选 选填 自愿
handling: manual manually by_hand 手动 手工 人工|automatic automatically automated auto 自动
sync: synchronous synchronously synchronise synchronised synchronize synchronized sync syncs synced syncing 同步|asynchronous asynchronously async 异步
join: inner_join 内连接|left_join left_outer_join 左连接|right_join 右连接|full_join outer_join 全连接|cross_join
strategy: append appended 追加|overwrite overwritten replace replaces replaced replacing 替换 更换 换 替代|merge merged 合并
access: read-only readonly 只读|read-write read_write writable write_access write_permission 读写 写权限|admin admins administrator administrators 管理员|editor editors 编辑|viewer viewers 查看者|owner owners 所有者
transfer: import imported importing 导入|export exported exporting exports 导出
load: upload uploaded uploading 上传|download downloaded downloading 下载
buy: buy bought purchase purchased purchases buying 购买 买 采购|sell sold selling 卖 出售
answer_to: accept accepted accepts 接受|approve approved approves approval approving sign_off signs_off signed_off signing_off 批准 审批 审核通过 签字确认
gender: male men man 男|female women woman 女
title: mr mr. 先生|mrs mrs. ms ms. miss 女士 小姐|dr dr. doctor 博士|prof prof. professor 教授
name_part: first_name given_name forename |last_name surname family_name 姓氏 姓|full_name 全名
risk: high 高|low 低|middle_level 中等
environment: production prod 生产 生产环境 线上|staging 预发 预发布|test_environment testing_environment 测试环境|development dev 开发环境 开发
currency: cent cents 分|usd dollar dollars us_dollar us_dollars $ us$ 美元 美金|eur euro euros € 欧元|gbp pound pounds sterling £ 英镑|cny rmb yuan renminbi 人民币 元|jpy yen 日元 日圆|hkd hong_kong_dollars hong_kong_dollar 港元 港币|chf swiss_franc swiss_francs franc francs 瑞士法郎|krw won 韩元|inr rupee rupees 卢比|cad canadian_dollars canadian_dollar 加元|aud australian_dollars 澳元|twd 台币 新台币
length_unit: km kilometre kilometres kilometer kilometers 公里 千米|mile miles 英里|metre metres meter meters 米|foot feet 英尺|inch inches 英寸|cm centimetre centimetres centimeter centimeters 厘米
weight_unit: kg kilogram kilograms kilo kilos 公斤 千克|lb lbs 磅|gram grams 克|ton tons tonne tonnes 吨|ounce ounces 盎司
data_unit: kilobytes kilobyte kb|megabytes megabyte mb 兆字节|gigabytes gigabyte gb|terabytes terabyte tb
temperature: celsius centigrade °c ℃ 摄氏 摄氏度|fahrenheit °f ℉ 华氏 华氏度|kelvin 开尔文
measures: metric metric_system 公制|imperial imperial_system 英制
duration: seconds 秒|minute minutes 分钟|hour hours 小时|day days 天 日|week weeks 周 星期|month months 月 个月|quarter quarters 季|year years 年|decade decades
zone: utc gmt 世界时|cet central_european_time|est eastern_time et 东部时间|pst pacific_time pt 太平洋时间|cst beijing_time china_standard_time 北京时间|local_time 当地时间 本地时间
clock: 24-hour 24h 24小时制|12-hour 12h 12小时制
file_format: pdf pdfs|csv csvs|excel xlsx xls spreadsheet spreadsheets excel_workbook excel_workbooks workbook workbooks 电子表格|word docx doc word_document word_documents|json|xml|yaml yml|parquet|markdown md|html|png|svg|jpg jpeg|powerpoint pptx ppt slides slide_deck 幻灯片|txt plain_text 纯文本|tsv|avro|toml|latex|rtf|gif|webp
chart: bar_chart bar_charts bar_graph bar_graphs bars barchart 柱状图 条形图 柱图|line_chart line_charts line_graph line_graphs 折线图 线图|pie_chart pie_charts pie 饼图 饼状图|scatter_plot scatter_plots scatter_chart 散点图|histogram histograms 直方图|heatmap heatmaps heat_map 热力图|area_chart 面积图|table tables tabular 表格|bullet_points bullet_point bullets bullet_list bulleted_list 要点列表 要点 项目符号|full_sentences complete_sentences prose paragraphs paragraph continuous_text 完整的句子 完整句子 段落|list lists 列表
language: english 英文 英语|chinese mandarin 中文 汉语 普通话 简体中文|german 德语 德文|french 法语 法文|spanish 西班牙语|italian 意大利语|japanese 日语 日文|korean 韩语 韩文|portuguese 葡萄牙语|russian 俄语 俄文|dutch 荷兰语|arabic 阿拉伯语|traditional_chinese 繁体中文 繁体
spelling: british_english british_spelling 英式英语|american_english us_english american_spelling us_spelling 美式英语
database: postgresql postgres|mysql|sqlite|mongodb mongo|oracle|mariadb|redis|snowflake|bigquery|clickhouse|duckdb|redshift|hive
channel: e-mail email emails mail mails e-mails 邮件 电子邮件 邮箱|sms text_message text_messages 短信|slack|teams microsoft_teams|phone telephone by_phone phone_call 电话|wechat 微信|wecom 企业微信|dingtalk 钉钉|feishu lark 飞书|letter post 信件|fax 传真|zoom|discord|push_notification 推送通知
aggregate: count counts number numbers number_of quantity quantities headcount 数量 个数 次数 数 件数 人数 数目|amount amounts sum total totals 金额 总额 总和 总数 总 合计 总计 数额|average averages averaged mean_value avg on_average 平均 平均值 均值 平均分 平均数|median 中位数|share proportion percentage percentages percent_share fraction 占比 比例 百分比 份额 百分数|ratio ratios 比值
drink: tea 茶|coffee 咖啡|juice 果汁|water 水|beer 啤酒|wine 葡萄酒
diet: vegetarian vegetarians 素食 吃素 素食者|vegan vegans 纯素|meat 肉|fish 鱼|seafood shellfish 海鲜
seat: window window_seat 靠窗|aisle aisle_seat 靠过道 靠走道 走道 过道
meal: breakfast 早餐 早饭|lunch 午餐 午饭|dinner supper 晚餐 晚饭
travel: train trains rail railway 火车 高铁|plane planes flight flights fly flying flies 飞机 航班 坐飞机|bus buses 公交 巴士|car cars 开车 汽车
os: windows|macos mac|linux
orient: landscape 横向|portrait 纵向 竖向|horizontal horizontally 水平|vertical vertically 垂直
grain: row rows line lines 行|column columns 列
tier: gold_tier|silver_tier|bronze_tier
staff: employee employees staff 人员们 workforce headcount_of 员工 职员 雇员|customer customers client clients 客户 顾客|supplier suppliers vendor vendors 供应商|partner partners 合作伙伴|manager managers boss supervisor 经理 主管 上司 领导|colleague colleagues coworker coworkers 同事|team teams 团队 小组|contractor contractors 外包|intern interns 实习生|student students 学生
"""

STRICT = """
    more_than less_than at_least at_most sometimes rarely some most half few none_of outside optional
"""

NEGATORS = """
clause: not never no_longer cannot don't doesn't didn't isn't aren't wasn't weren't won't wouldn't shouldn't mustn't can't couldn't hasn't haven't hadn't dont doesnt didnt isnt arent wont shouldnt cant neither nor nobody none nothing nowhere
    avoid avoids avoided avoiding refrain_from stop stops stopped stopping steer_clear_of stay_away_from refuse refuses refused dislike dislikes disliked hate hates hated forbid forbids forbade disallow reject rejects rejected at_no_time under_no_circumstances
    unable fail_to fails_to failed_to disable disables disabling deactivate deactivates turn_off turns_off switch_off off opted_out opt_out no_more do_without
    不 不要 别 勿 请勿 不得 不准 不许 不能 不可 不可以 不会 不是 不再 没 没有 无法 从不 从未 绝不 决不 切勿 切忌 避免 禁止 严禁 拒绝 讨厌 不喜欢 不想 不希望 不愿 不愿意 不用 不必 不需要 不计 不计入 不算 不算入 不纳入 未被 未曾 尚未 并非 并未 并不 停止 停用 禁用 关闭 关掉 杜绝 千万别 千万不要 千万不能 无须 无需 毋须 免去 忌 戒 不应 不应该 不该 不宜 不允许
next: no without excluding exclude excludes exclusive_of except except_for other_than apart_from minus_any leave_out leaves_out leaving_out omit omits omitting drop_the ignore ignores ignoring disregard disregards skip skips skipping hide hides hiding remove removes removing delete deletes deleting discard discards discarding instead_of rather_than than_the_usual in_place_of free_of lack lacks lacking net_of unless but_not as_opposed_to strip strips
    而不是 而非 胜过 多过 甚于 比起 相比于 与其 相较于 不含 不包含 不包括 未 非 无 免 除 除了 除去 剔除 排除 去掉 去除 删除 扣除 忽略 跳过 隐藏 略去 省略 舍弃 不带 不附 不加 除非 去重 删掉 不含有 丢弃 移除
passive: deducted_from subtracted_from excluded omitted left_out ignored disregarded skipped hidden removed deleted discarded disabled deactivated forbidden prohibited banned disallowed turned_off switched_off unwanted not_allowed exempt stripped
    被排除 被剔除 被删除 被忽略 除外 例外
"""
