"""Words of working life that belong together, English and Chinese, as data: the same thing, or the same field.

A reader who asks "how should amounts look?" wants to hear of "EUR, two decimals": both speak of money and of form. The
fields are those that preferences, definitions, queries and results are about; a word may be of several.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from amb_core.text import index_tokens
from amb_core.text.words import stem

__all__ = ["fields_of", "known_chinese", "same_as", "term_of"]

_SAME = """
amount sum figure 金额 数额 | currency 货币 币种 | euro eur 欧元 | dollar usd 美元 | yuan cny rmb 人民币 | price 价格 单价 | cost expense spending 成本 费用 开支 | budget 预算
revenue turnover sales income 收入 营收 销售额 营业额 | profit margin earnings 利润 毛利 毛利率 净利 | discount rebate 折扣 优惠 | refund return reimburse 退款 退货 | invoice bill 发票 账单 | tax vat 税 税率 增值税
customer client buyer shopper 客户 顾客 买家 | user 用户 | employee staff personnel headcount worker 员工 职工 人员 | supplier vendor 供应商 厂商 | partner 伙伴 合作方 | order purchase 订单 下单 | product item article goods sku 产品 商品 货品
chart graph diagram plot visualisation visualization 图表 图形 | table tabular 表格 | slide presentation deck powerpoint ppt 幻灯片 演示文稿 演示 | report 报表 报告 | summary digest recap 摘要 总结 汇总 | dashboard 看板 仪表盘 | colour color 颜色 配色 色调
format layout style 格式 样式 版式 | look appearance 外观 | show display render 显示 展示 呈现 | language 语言 | reply answer respond response 回答 回复 答复 | short brief concise terse 简短 简洁 精简 | long lengthy length detailed 长度 详细 篇幅 | tone 语气 口吻 | call address 称呼
define definition mean meaning 定义 口径 含义 | calculate compute calculation formula 计算 公式 算法 | average avg mean 平均 均值 | percent percentage 百分比 百分数 | ratio rate share 比率 比例 | count number 数量 个数 | metric kpi measure indicator 指标
forecast prediction predict projection outlook 预测 预估 | trend 趋势 走势 | increase rise grow growth 增加 上升 增长 变多 上涨 | decrease decline fall drop 减少 下降 下滑 变少 | cause reason 原因 起因 理由 | why because 因为 由于 为什么 为何 | result outcome 结果 | conclusion finding insight 结论 结论 洞察
deliver delivery shipment shipping ship dispatch 配送 发货 送货 交付 | carrier courier logistics 物流 快递 | late delay delayed overdue 延误 延迟 晚点 迟到 | warehouse depot 仓库 | stock inventory 库存 存货 | reorder replenish restock 补货 | defect fault quality 缺陷 质量 瑕疵 | complaint complain 投诉 | contract agreement 合同 协议
table 表 数据表 | column field 字段 列 | database db 数据库 | query sql select 查询 语句 | join 关联 连接 | file document 文件 文档 | folder directory path 路径 目录 文件夹 | store save keep saved 保存 存放 存储 | filter where 过滤 筛选 | group 分组 | delete remove 删除 移除
begin start commence 开始 起始 | end finish close 结束 | deadline due 截止 期限 | submit hand 提交 上交 交 | meeting appointment call 会议 开会 | week weekly 每周 周报 | month monthly 每月 月报 | quarter quarterly 季度 | year annual yearly fiscal financial 年度 财年 | daily day 每天 日报 | timezone zone 时区
responsible owner charge accountable lead head 负责人 负责 主管 | contact 联系人 联系 | manager boss supervisor 经理 领导 | department team unit division 部门 团队 | office site branch 办公室 分公司 | region area territory 地区 区域 大区 | email mail e-mail 邮件 邮箱 | send forward 发送 发给 | recipient receive 收件人 接收 | notify inform alert 通知 提醒
secret confidential sensitive classified 机密 保密 敏感 | external outside 外部 | internal 内部 | allow permit permission may approve approval 允许 批准 许可 | forbid never prohibit ban 禁止 不得 不准 | prefer preference favour favorite like 偏好 喜欢 喜好 习惯 | want wish 希望 想要
active 活跃 | login signin 登录 | visit visitor 访问 访客 | checkout 结账 | churn attrition cancel 流失 | retention 留存 | repurchase repeat 复购 复购率 | conversion convert 转化 转化率 | registered signup register 注册 | target goal 目标 | deploy deployment release rollout 部署 上线 发布 | server host 服务器 | bug error failure 错误 故障 失败 | fix repair solve 修复 解决
vegetarian vegan 素食 吃素 | allergy allergic 过敏 | meal lunch dinner breakfast 餐 用餐 午餐 晚餐 | restaurant canteen 餐厅 饭店 | diet dietary eat food 饮食 忌口 订餐 吃 | drink alcohol wine beer 饮酒 酒 喝 | hotel accommodation 酒店 住宿 | flight plane 航班 飞机 | seat window aisle 座位 靠窗 | train rail 火车 高铁
cite citation reference source quote 引用 出处 来源 参考 | theme skin mode 主题 模式 | interface ui screen 界面 屏幕 | list 列表 清单 | row line entry 行 条 | holiday vacation leave 假期 休假 请假 | password credential secret key 密码 密钥 口令 | model llm 模型 | version 版本 | code script program 代码 脚本 程序 | notebook python 笔记本 | test experiment 测试 实验 | hobby interest 爱好 兴趣 | family wife husband child 家人 妻子 丈夫 孩子 | signature sign 签名 落款 | priority urgent important 优先 优先级 紧急 重要 | limit maximum cap most 上限 最多 限制 | minimum least 下限 至少 最少 | threshold 阈值 门槛 | exclude except omit ignore 排除 除外 忽略 不含 不算 | include contain 包括 包含 含有
temperature celsius fahrenheit 温度 摄氏 | distance kilometre kilometer mile km 距离 公里 | weight kilogram kg pound 重量 公斤 | unit 单位 | decimal precision 小数 精度 | round rounding 四舍五入 取整 | date 日期 | clock time hour 时间 小时 | birthday 生日 | job role position profession 职位 岗位 工作 | company firm employer 公司 企业
"""

_FIELDS = """
money: amount sum money price cost expense fee revenue budget spending currency eur usd gbp cny jpy chf rmb euro dollar pound yuan yen cent decimal salary invoice payment profit 金额 数额 价格 货币 币种 欧元 美元 英镑 日元 人民币 元 小数 成本 费用 预算 开支 付款 利润
form: format layout look style appearance show display render present decimal round bold italic heading header table chart bullet column font colour separator percent iso slash 格式 样式 显示 展示 呈现 保留 小数 加粗 表头 表格 写法 斜杠 排版 外观
language: language reply answer speak translate english german french spanish italian japanese korean chinese portuguese dutch russian 语言 中文 英文 英语 德语 法语 日语 韩语 汉语 用语 翻译
chart: chart graph diagram plot visualise visualize draw bar line pie histogram scatter axis legend 图表 折线图 柱状图 饼图 散点图 图形 画图 可视化 趋势图
colour: colour color blue red green yellow orange purple grey gray black white palette scheme dark 颜色 配色 蓝色 红色 绿色 黄色 橙色 紫色 灰色 黑色 白色 深色
length: length long short brief concise sentence paragraph word detailed page 长度 简短 简洁 详细 篇幅 字数 句 段 行
tone: tone formal informal polite friendly casual humour emoji 语气 正式 口语 礼貌 幽默 表情
order: first then order conclusion explain structure 顺序 结论 先 然后 步骤 结构
person: call address name mr mrs ms dr surname nickname title salutation 称呼 先生 女士 名字 姓名 博士
who: responsible owner lead head charge contact manager assignee recipient receive receives send 负责人 负责 联系人 主管 经理 收件人 找谁 谁 接口人
dates: date day month year calendar iso 日期 年月日 日历 格式
clock: time clock hour timezone zone utc gmt cet cest est pst jst am pm 时间 时区 小时 点 上午 下午
when: deadline due schedule every weekly monthly daily monday tuesday wednesday thursday friday saturday sunday morning evening until before submit 截止 期限 提交 每周 每月 每天 之前 周一 周二 周三 周四 周五 周六 周日 周报 月报 什么时候 何时 几点 几号 交
year: year fiscal financial annual quarter january february march april may june july august september october november december 财年 年度 季度 一月 四月
where: office city country live based located location region work home headquarters 办公室 城市 国家 工作地 所在地 地点 位于 常驻
path: file path folder directory store stored save saved located export csv xlsx excel pdf html json parquet link url dashboard 文件 路径 目录 文件夹 保存 存放 导出 链接
data: table column field row schema database warehouse sql query select join group where distinct partition record dataset 表 数据表 字段 列 数据库 库 查询 关联 分区 数据 哪张表 明细
define: define definition mean mean count considered calculate compute formula divided minus equal ratio rate least metric kpi qualify include exclude distinct 定义 口径 指 等于 计算 公式 除以 减去 怎么算 算 指标 含义 比率 率
cause: why cause because reason due owing lead miss missed came come explain blame wrong 原因 因为 由于 导致 造成 为什么 为何 理由
average: average avg mean median duration 平均 均值 中位数
size: count number many headcount total distinct 数量 个数 多少 总数 人数
sales: sales sell sold revenue turnover order region 销售 销量 营收 收入 订单 营业额 下单
delivery: deliver delivery shipment ship shipped carrier courier logistics arrive arrival late delay dhl ups fedex port punctual 配送 发货 送货 物流 快递 延误 到货 交付 准时
quality: quality defect fault problem issue complaint inspection error bug broken damage damaged 质量 缺陷 问题 投诉 检验 破损 瑕疵 故障
stock: stock inventory warehouse reorder replenish quantity item 库存 存货 仓库 补货 盘点
staff: employee staff headcount personnel hire worker person contract people team colleague 员工 职工 人数 人员 同事 团队 合同
customer: customer client buyer shopper visitor user consumer account 客户 顾客 用户 买家 会员 访客
partner: supplier vendor partner external outside manufacturer 供应商 厂商 合作方 外部
forecast: forecast prediction predict projection outlook plan estimate 预测 预估 预计 计划
food: food eat diet meal lunch dinner breakfast restaurant catering menu vegetarian vegan allergy allergic peanut nut gluten lactose alcohol drink wine coffee tea halal kosher 餐 饮食 忌口 过敏 素食 吃素 订餐 餐厅 午餐 晚餐 吃 喝酒 饮酒 花生 海鲜 清真 聚餐
travel: travel trip flight hotel seat aisle window train airline book booking 出差 旅行 航班 酒店 座位 靠窗 火车 高铁 机票 订票
mail: email mail message send forward recipient letter newsletter write 邮件 邮箱 发送 发给 收件人 信 消息
secret: secret confidential sensitive private privacy internal restricted board 机密 保密 敏感 隐私 内部
allow: may allow permit permission approve approval ask forbidden never without must confirm 允许 批准 许可 禁止 不得 可以 能否 必须 先 确认 审批
unit: unit celsius fahrenheit kelvin kilometre kilometer mile metre meter metric imperial temperature distance weight kilogram 单位 摄氏 华氏 温度 公里 英里 距离 公斤 重量 米
slides: slide presentation deck powerpoint ppt template 幻灯片 演示 模板
expense: expense reimburse reimbursement claim receipt 报销 报销单 费用 发票
churn: churn attrition cancel retention leave 流失 留存 取消 退订
active: active login visit purchase recent within last 活跃 登录 访问 最近 以内 过去
deploy: deploy deployment release rollout production merge branch 部署 上线 发布 生产环境
job: job role position profession manager engineer analyst director developer work employer 职位 岗位 工作 职业 经理 工程师 分析师 总监
theme: theme mode dark light ui interface skin screen contrast 主题 模式 深色 浅色 界面 夜间 屏幕
sources: cite citation source reference quote footnote bibliography evidence 引用 来源 出处 参考 脚注 依据 文献
listing: list row line entry top limit maximum item page result 列表 清单 行 条 前十 前十名 只列 上限 最多 限制 分页
leave: holiday vacation leave absence off sick 假期 休假 请假 年假 病假
access: password credential secret key token login permission role access account 密码 密钥 口令 令牌 权限 账号 登录
code: code script program python notebook function library version naming convention snake_case indentation comment test 代码 脚本 程序 函数 版本 命名 注释 缩进 测试
family: family wife husband child daughter son parent birthday married hobby interest 家人 妻子 丈夫 孩子 女儿 儿子 父母 生日 爱好 兴趣
tier: tier level gold silver premium vip class segment rank category 等级 级别 金卡 银卡 会员 贵宾 分级 类别
model: model llm algorithm parameter temperature train 模型 算法 参数 训练
notice: notify notification alert remind reminder warning 通知 提醒 告警 预警
growth: increase rise grow growth decrease decline fall drop change 增加 上升 增长 减少 下降 变多 变少 变化 上涨 下滑
finance: finance financial accounting controller treasury budget 财务 会计 出纳 预算
"""

_HAN = re.compile(r"[\u3400-\u9fff]")


@lru_cache(maxsize=20_000)
def term_of(word: str) -> str:
    """The index term that stands for a word: its stem, also of a stop word, or its last two characters."""
    return (index_tokens(word) or [stem(word)])[-1]


def _rows() -> Iterator[list[str]]:
    for line in _SAME.strip().splitlines():
        for row in line.split("|"):
            yield list(row.split())


@cache
def _same() -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for row in _rows():
        terms = [term_of(word) for word in row]
        for word, term in zip(row, terms, strict=True):
            others = dict.fromkeys(other for other in terms if other != term)
            found.setdefault(word if _HAN.match(word) else term, {}).update(others)
    return {term: tuple(others) for term, others in found.items()}


@cache
def _fields() -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for line in _FIELDS.strip().splitlines():
        name, _, words = line.partition(":")
        for word in words.split():
            found.setdefault(word if _HAN.match(word) else term_of(word), {})[f"~{name}"] = None
    return {term: tuple(fields) for term, fields in found.items()}


@cache
def _chinese() -> re.Pattern[str]:
    words = {word for word in (*_same(), *_fields()) if _HAN.match(word)}
    return re.compile("|".join(sorted(words, key=lambda word: (-len(word), word))))


def known_chinese(text: str) -> Iterator[re.Match[str]]:
    """The Chinese words of a text that are in these lists, the longest first where several begin."""
    return _chinese().finditer(text)


def same_as(word: str) -> tuple[str, ...]:
    """The index terms of words that mean the same as a Chinese word or an English index term; mostly none."""
    return _same().get(word, ())


def fields_of(word: str) -> tuple[str, ...]:
    """The terms that stand for the fields of a Chinese word or an English index term; mostly none."""
    return _fields().get(word, ())
