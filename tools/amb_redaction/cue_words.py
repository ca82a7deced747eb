"""The words that say what a number beside them is, in English and Chinese."""

from __future__ import annotations

__all__ = [
    "ACCOUNT_CUES",
    "CARD_CUES",
    "ID_CUES",
    "IP_CUES",
    "OTHER_NUMBER_CUES",
    "PERSON_CUES",
    "PHONE_CUES",
    "TAIL_LABELS",
    "UNITS",
    "VERSION_CUES",
]

PHONE_CUES = (
    "phone phones telephone tel mobile cell cellphone cellular fax whatsapp hotline landline handset msisdn sms viber "
    "call called calling dial dialled ring rang text texted callback reachable reach answering messages contact ph mob desk "
    "电话 電話 手机 手機 座机 座機 固话 固定电话 热线 熱線 传真 傳真 联系方式 联系 聯繫 聯絡 致电 致電 拨打 撥打 拨通 来电 去电 打给 打到 打他 打她 "
    "打我 短信 短訊 微信 wechat 支付宝 呼叫 通话 客服 专线 whats_app 联络"
)
"""What is beside a phone number; said of `call 555 0100`, not of `call centre`."""

CARD_CUES = (
    "card cards cc visa mastercard amex discover unionpay maestro debit credit pan cardholder atm "
    "银行卡 信用卡 储蓄卡 借记卡 工资卡 卡号 卡號 银联 銀行卡 饭卡 卡片 尾号 刷卡 绑卡 绑定 卡"
)
ACCOUNT_CUES = "account accounts acct a/c iban bank transfer payee deposit withdraw 账号 账户 帐号 帐户 賬號 賬戶 收款 转账 打款 汇款 转到 打到 汇到 开户"

ID_CUES = (
    "ssn passport licence license id identity identification national nric nino aadhaar aadhar pan tin "
    "itin taxpayer tax insurance citizen resident permit social dl "
    "身份证 身份證 身分证 身分證 证件 證件 护照 護照 驾照 驾驶证 駕照 社保 公民身份 居民身份 通行证 军官证 户口 居住证 实名"
)

IP_CUES = (
    "ip ips ipv4 ipv6 address addresses addr host hosts hostname server servers gateway router dns subnet netmask ping "
    "ssh telnet connect connected connecting connection login logged client client_ip remote_addr visitor peer node "
    "firewall proxy port network blocked block bind listen listening nginx curl whitelist blacklist traceroute from "
    "地址 服务器 主机 网关 路由 路由器 内网 外网 公网 登录 访问 连接 代理 防火墙 网段 端口 来自 节点 机器 部署 客户端 解析"
)
VERSION_CUES = (
    "v ver version versions release releases released build rev revision upgrade upgraded update updated downgrade "
    "firmware driver section chapter clause appendix figure table paragraph article sdk api patch tag milestone "
    "版本 版 升级 升级到 更新 更新到 固件 驱动 章节 第 小节 条款 附录"
)

OTHER_NUMBER_CUES = (
    "order orders invoice revenue revenues sales turnover total totals sum amount amounts price prices cost costs count "
    "counts population tracking shipment parcel waybill serial sku isbn barcode item ticket transaction txn reference "
    "ref rows records timestamp epoch bytes size budget balance value volume profit profits income expense expenses "
    "quantity qty stock inventory shares downloads views hits visits users visitors gdp output capacity limit offset "
    "model batch lot po contract case part primes prime random number_of id_of port row job build commit checksum bug bugs issue issues closes fixes "
    "订单 订单号 單號 单号 运单 快递 物流 编号 编码 流水 流水号 交易号 金额 收入 营收 营业额 销售额 销量 总额 总计 合计 总数 人口 数量 价格 成本 利润 "
    "产量 余额 预算 货号 批号 序列号 工单 发票 合同号 合同 条码 型号 时间戳 字节 大小 浏览量 访问量 下载量 点击量 播放量 流量 库存 费用 支出 收益 市值 "
    "股本 资产 负债 总量 产值 期号 书号 案号 注册资本 额度 限额 行数 记录数 税号"
)
"""What is beside a number that is nobody's."""

PERSON_CUES = (
    "customer client user name contact mr mrs ms dr recipient sender guest patient employee owner member subscriber "
    "applicant tenant registered username login account caller "
    "客户 用户 联系人 收件人 收货人 寄件人 先生 女士 小姐 老师 姓名 会员 员工 患者 租客 房东 机主 账号 注册 本人 家属 经理 主任"
)

TAIL_LABELS = "office fax mobile cell home work desk direct main tel phone 办公室 办公 传真 手机 座机 家里 移动"
"""What follows a number as its label: `416 60 039 office`."""

UNITS = (
    r"(?:元|块钱|圆|万|亿|美元|欧元|英镑|日元|港元|港币|人民币|％|%|‰|公里|千米|千克|公斤|吨|毫秒|微秒|纳秒|字节|像素|平方米|千瓦|[次人个件台条份篇行步股辆](?![\u4e00-\u9fff])"
    r"|(?:yuan|rmb|cny|usd|eur|gbp|jpy|dollars?|euros?|pounds?|yen|bytes?|kb|mb|gb|tb|kg|km|ms|ns|seconds?|percent|units?|rows?|records?|people|users?|views?"
    r"|downloads?|items?|pieces?|shares?|tokens?|requests?|times|tons?|tonnes?|miles|meters|metres|million|billion|thousand)(?![A-Za-z]))"
)
"""What follows an amount."""
