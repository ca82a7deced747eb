"""What everyday words are about (home, work, health, …), so that a question and a fact without a word in common meet.

Topics are coarse on purpose: they order what words alone leave unordered, and never say that two texts are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from amb_core.text.index_terms import index_tokens

__all__ = ["facets_of", "topics_of"]

_TOPICS = {
    "home": "live lives home house flat apartment room rent rents tenant landlord address city town village "
    "country move moved relocate settle place neighbourhood neighborhood neighbour street floor storey ground upstairs "
    "garden kitchen balcony canal hometown reside residence located studio suburb mortgage roommate attic cottage level "
    "住 屋 楼 层 我家 家在 住在 住址 地址 城市 城镇 小区 搬家 搬到 搬去 搬进 房租 租金 租房 租了 公寓 房子 新房 住处 老家 邻居 街道 花园 阳台 室友 房东 村里",
    "work": "work works working job profession occupation career office company firm employer employed boss manager "
    "colleague team salary hire hired fired quit resign resigned retire retired promoted promotion bakery "
    "factory shop workshop carpenter teacher nurse engineer lawyer cook driver build builds trade project client "
    "freelance intern department unemployed apprentice farmer programmer developer accountant plumber "
    "工作 上班 职业 单位 公司 办公 同事 老板 经理 辞职 离职 入职 跳槽 退休 升职 工资 木匠 教师 护士 工程 律师 厨师 司机 面包 店里 工厂 车间 作坊 行业 创业 失业 实习 从事 "
    "teach teaches taught report reports clerk editor chef designer manager supervisor consultant analyst researcher police officer soldier journalist writer mechanic electrician baker butcher hairdresser waiter nurse shift "
    "换工作 领导 上司 主管 汇报 老板 调走 调到 做会计 会计 设计师 编辑 记者 警察 厨子 店员 经商 开店 开公司 任教 教书",
    "time": "shift shifts morning mornings night nights evening evenings afternoon weekday schedule hours o'clock "
    "early late roster timetable appointment calendar meeting wake sleep bedtime alarm "
    "夜班 早班 白班 晚班 班 早上 上午 下午 晚上 夜里 时间 日程 排班 会议 约会 起床 睡觉 平日 点钟",
    "transport": "drive drives driving car cars tram bus train bike bicycle cycle commute commuting walk metro subway "
    "underground motorbike scooter taxi vehicle road licence license parking petrol ride ferry van truck "
    "开车 车 汽车 电车 公交 地铁 火车 高铁 骑车 单车 通勤 驾照 停车 摩托 走路 出行 轿车 皮卡 班车 乘坐 "
    "toyota yaris corolla honda civic mazda nissan suzuki volkswagen vw golf polo skoda seat audi bmw mercedes opel ford fiesta focus fiat renault clio peugeot volvo saab tesla hyundai kia suv estate hatchback moped e-bike bicycles ebike "
    "丰田 卡罗拉 本田 日产 大众 奥迪 宝马 奔驰 福特 沃尔沃 特斯拉 比亚迪 吉利 五菱 现代 电动 自行 越野",
    "device": "phone phones mobile smartphone handset tablet laptop computer pc device camera headphones watch app operating "
    "android ios windows linux mac screen browser keyboard printer console email mail number ring ringing text "
    "write letter contact message reach telephone "
    "手机 电话 平板 电脑 笔记 相机 耳机 手表 设备 屏幕 系统 邮件 邮箱 号码 打电 联系 写信 短信 微信 途径 "
    "nokia samsung galaxy iphone ipad pixel xiaomi huawei honor oneplus oppo vivo motorola fairphone sony macbook thinkpad lenovo dell asus chromebook kindle playstation xbox nintendo provider carrier "
    "荣耀 小米 华为 苹果 三星 诺基亚 一加 魅族 红米 联想 安卓 鸿蒙 套餐 运营商",
    "health": "doctor doctors physician dentist practice clinic hospital surgery operated operation knee back heart eye "
    "ill illness sick disease allergy allergic rash medicine medication pill tablet dose diagnosis diabetes asthma pain "
    "injury injured broke leg arm therapy therapist vaccine pregnant blood pressure weight health dangerous intolerant "
    "医生 大夫 医院 诊所 手术 动刀 膝盖 心脏 生病 疾病 过敏 疹子 起疹 吃药 药物 药 剂量 糖尿 哮喘 疼 受伤 骨折 治疗 疫苗 怀孕 血压 体重 健康 看病 牙医",
    "food": "eat eats eating food meal diet vegetarian vegan meat fish shellfish nuts walnuts walnut peanut peanuts milk oat "
    "cheese bread egg gluten coffee latte tea drink drinks beer wine juice water breakfast lunch dinner supper cook "
    "cooking restaurant dish recipe taste sugar spicy dessert fruit vegetable rice noodles snack "
    "吃 喝 食物 饮食 吃素 素食 肉 鱼 虾 海鲜 坚果 核桃 花生 牛奶 燕麦 奶 咖啡 茶 酒 饮料 果汁 早饭 早餐 午饭 午餐 晚饭 晚餐 做饭 餐厅 饭馆 菜 口味 甜 辣 水果 米饭 面条 "
    "pescatarian kosher halal lactose soy almond tofu chicken beef pork lamb salad soup pizza pasta burger chocolate cake whisky cocktail sober alcohol smoke smoking cigarettes "
    "牛肉 猪肉 羊肉 鸡 蛋 豆浆 豆腐 乳糖 麸质 咖啡因 奶茶 啤酒 白酒 红酒 烟 抽烟 戒酒 戒烟",
    "family": "family wife husband spouse partner boyfriend girlfriend fiance fiancee married marry wedding divorced single "
    "child children kid kids son daughter baby brother sister sibling mother father parent parents mum mom dad grandmother "
    "grandfather grandma grandpa uncle aunt cousin nephew niece nursery kindergarten relative relatives twins age turned "
    "家人 家庭 妻子 丈夫 老婆 老公 太太 爱人 女友 男友 结婚 离婚 单身 孩子 小孩 儿子 女儿 宝宝 兄弟 姐妹 哥哥 弟弟 姐姐 妹妹 妈妈 爸爸 母亲 父亲 父母 爷爷 奶奶 亲戚 幼儿 年级 岁 "
    "relationship relationships dating together engaged engagement broke separated girlfriends boyfriends in-laws fiancé fiancée newborn toddler teenager "
    "对象 恋爱 分手 女朋友 男朋友 未婚 订婚 同居 单亲 外婆 外公 姥姥 姥爷 侄 孙",
    "pets": "pet pets dog dogs puppy cat cats kitten rabbit hamster bird parrot fish horse beagle terrier vet leash breed "
    "tortoise guinea animal animals 宠物 狗 犬 猫 兔 鸟 鹦鹉 仓鼠 马 养了 小狗 小猫 动物 兽医",
    "music": "music instrument instruments guitar piano violin cello flute drums drum trumpet sing sings singing "
    "song band choir orchestra concert listen jazz rock opera lessons "
    "音乐 乐器 吉他 钢琴 小提 大提 提琴 长笛 笛 打鼓 鼓 唱歌 合唱 乐队 歌 演奏 弹 拉琴 听歌",
    "learning": "school university college study studies studying student class course degree exam language languages learn "
    "learns learning speak speaks lesson tutor graduate graduated semester thesis teacher nursery kindergarten "
    "学校 大学 学院 中学 小学 上学 读书 学习 学生 课程 考试 学位 语言 外语 毕业 老师 论文 年级 专业 报班 "
    "maths math physics chemistry history biology spanish french german italian japanese chinese mandarin english portuguese russian korean arabic danish dutch swedish polish turkish greek latin primary secondary kindergarten "
    "幼儿园 学西班 日语 英语 法语 德语 韩语 俄语 西班牙语 意大利 数学 物理 化学 补习 考研 研究生",
    "sport": "sport sports run running jog swim swimming gym football soccer tennis basketball climb climbing hike hiking "
    "yoga ski skiing chess hobby hobbies club train training marathon dance dancing paint painting photography garden "
    "运动 跑步 游泳 健身 足球 网球 篮球 爬山 登山 瑜伽 滑雪 象棋 爱好 兴趣 俱乐 训练 马拉 跳舞 画画 摄影 业余 "
    "rugby cricket handball volleyball badminton squash golf rowing sailing surfing boxing judo karate pilates fencing riding skating bouldering athletics coach team fitness "
    "羽毛 乒乓 排球 划船 击剑 拳击 柔道 骑马 滑冰 攀岩 普拉 教练 打球 锻炼",
    "money": "bank account money pay pays paid price cost costs fee euro dollar budget salary loan tax invoice card savings "
    "insurance pension currency 银行 账户 钱 付款 价格 费用 欧元 美元 预算 工资 贷款 税 发票 银行卡 存款 保险 养老 货币 "
    "revolut n26 hsbc barclays paypal savings invest shares wallet debit credit "
    "工行 招行 建行 农行 招商 工商 建设银行 支付宝 微信支付 理财 股票 基金 工资卡",
    "place": "where city cities country countries abroad coast mountains lake island germany austria switzerland france spain "
    "italy portugal greece turkey croatia poland czechia hungary romania bulgaria ukraine russia norway sweden denmark finland "
    "iceland ireland scotland wales england britain netherlands belgium luxembourg estonia latvia lithuania morocco egypt "
    "tunisia kenya ethiopia nigeria ghana israel jordan iran iraq india pakistan nepal thailand vietnam malaysia singapore "
    "indonesia bali philippines china taiwan japan korea australia zealand canada usa america mexico cuba brazil argentina "
    "chile peru colombia berlin hamburg munich cologne frankfurt leipzig dresden vienna zurich geneva basel bern paris lyon "
    "marseille madrid barcelona valencia seville lisbon porto rome milan naples turin florence venice athens istanbul ankara "
    "warsaw krakow gdansk prague budapest bucharest sofia kyiv moscow oslo bergen stockholm gothenburg malmo copenhagen aarhus "
    "helsinki reykjavik dublin edinburgh glasgow london manchester liverpool bristol leeds amsterdam rotterdam utrecht brussels "
    "antwerp ghent tallinn riga vilnius cairo nairobi lagos dubai delhi mumbai bangkok hanoi seoul tokyo osaka kyoto beijing "
    "shanghai sydney melbourne toronto montreal vancouver boston chicago seattle denver austin houston "
    "哪里 哪儿 城市 北京 上海 广州 深圳 杭州 南京 苏州 无锡 常州 宁波 温州 嘉兴 湖州 绍兴 成都 重庆 武汉 长沙 西安 郑州 济南 青岛 烟台 天津 大连 "
    "沈阳 长春 厦门 福州 泉州 合肥 南昌 昆明 大理 丽江 贵阳 南宁 桂林 海口 三亚 兰州 西宁 银川 拉萨 太原 石家 珠海 佛山 东莞 中山 香港 澳门 台北 "
    "日本 韩国 泰国 越南 法国 德国 英国 美国 西班 挪威 瑞典 加拿 澳洲 新疆 西藏 云南 海南 内蒙",
    "media": "newspaper newspapers magazine magazines read reads reading book books novel novels subscription subscribe "
    "subscribed news series film films movie movies podcast podcasts tv channel streaming netflix spotify youtube library "
    "报纸 杂志 报刊 订阅 订了 退订 看书 小说 电影 电视 剧集 播客 视频 会员 新闻 周刊 周末报",
    "travel": "travel travels trip journey holiday vacation flight fly hotel airport visa passport seat abroad tour beach "
    "旅行 旅游 出差 假期 度假 航班 飞机 酒店 机场 签证 护照 座位 国外 海边",
}


_FACETS = {
    "residence": "live living reside residence home house flat apartment cottage houseboat studio bungalow dorm address moved move moving "
    "relocate settle suburb 住在 住址 地址 家在 搬家 搬到 搬去 搬进 搬至 公寓 房子 定居 合租 小屋 新房 宿舍 老家",
    "job": "work working job profession occupation career employer employed unemployed join joined hired fired resign notice quit "
    "retired freelance intern apprentice nurse teacher teach engineer lawyer chef carpenter "
    "programmer developer plumber clerk editor designer consultant analyst researcher officer journalist writer mechanic "
    "electrician waiter farmer shop software office company firm 工作 上班 职业 辞职 离职 辞呈 入职 跳槽 退休 失业 实习 会计 "
    "护士 教师 老师 工程 律师 厨师 木匠 编辑 记者 警察 店员 程序 代码 公司 开店 花店 教书 任教",
    "boss": "boss manager supervisor supervise supervises report reports lead leader 老板 上司 主管 领导 经理 组长 导师 汇报 调走 升职",
    "partner": "girlfriend boyfriend wife husband spouse partner fiance fiancé fiancée married marry marriage wedding divorced divorce "
    "single engaged engagement separated dating relationship widowed 女友 男友 朋友 妻子 丈夫 老婆 老公 先生 太太 爱人 未婚 结婚 离婚 分手 单身 订婚 对象 恋爱 婚礼 复婚",
    "car": "car drive driving vehicle yaris toyota corolla honda civic mazda nissan suzuki volkswagen vw golf polo skoda seat audi bmw mercedes "
    "opel ford fiesta fiat panda renault clio peugeot volvo saab tesla hyundai kia suv hatchback van scooter vespa motorbike moped "
    "开车 汽车 轿车 丰田 罗拉 本田 飞度 日产 大众 奥迪 宝马 奔驰 福特 斯拉 亚迪 吉利 五菱 摩托 电动",
    "commute": "commute commuting train bus tram metro subway cycle cycles bike bicycle e-bike ferry walk 通勤 地铁 公交 火车 骑车 单车 步行 班车 电车",
    "phone": "phone mobile smartphone handset iphone nokia samsung galaxy pixel xiaomi oneplus oppo vivo motorola fairphone sony android "
    "手机 苹果 华为 小米 荣耀 三星 诺基 魅族 红米",
    "provider": "provider carrier contract vodafone telekom sim tariff 套餐 运营 联通 电信 移动",
    "computer": "laptop computer pc thinkpad macbook lenovo dell asus chromebook desktop mac windows linux 电脑 笔记 联想 戴尔 台式",
    "tablet": "tablet ipad 平板",
    "diet": "vegetarian vegan pescatarian meat eat eating kosher halal gluten 吃素 素食 吃肉 饮食 纯素 忌口 不吃",
    "breakfast": "breakfast porridge 早饭 早餐",
    "coffee": "coffee tea latte espresso sugar decaf 咖啡 喝茶 奶茶 放糖",
    "alcohol": "alcohol beer wine whisky sober 喝酒 啤酒 白酒 红酒 戒酒",
    "smoking": "smoke smoked smoking cigarette cigarettes vape 抽烟 吸烟 香烟 戒烟 烟戒 包烟 根烟",
    "doctor": "doctor physician gp clinic practice surgery 医生 大夫 诊所 主治",
    "dentist": "dentist 牙医",
    "vet": "vet 兽医",
    "hair": "hairdresser barber hair 理发 剪发 头发",
    "medicine": "dose mg pill pills tablets medication medicine 剂量 毫克 吃药 药物",
    "weight": "weight weigh kilos kilo scales kg 体重 公斤 一称",
    "allergy": "allergy allergic tolerate allergist 过敏",
    "school": "school kindergarten nursery university college grade 学校 幼儿 小学 中学 大学 上学 年级 退学 转学",
    "subject": "study studies studying law medicine history physics chemistry biology maths degree major 专业 法律 物理 化学 历史 数学 木工",
    "language": "spanish french german italian japanese chinese mandarin english portuguese russian korean arabic danish dutch swedish polish "
    "日语 英语 法语 德语 韩语 俄语 牙语 大利 语言",
    "sport": "sport gym run running jog swim swimming football soccer tennis basketball climb climbing yoga ski judo karate rugby handball "
    "volleyball badminton rowing boxing pilates fencing 跑步 游泳 健身 足球 网球 篮球 手球 柔道 瑜伽 滑雪 羽毛 乒乓 划船 拳击",
    "instrument": "instrument guitar piano violin cello flute drums trumpet percussion saxophone clarinet viola 乐器 吉他 钢琴 提琴 长笛 小号 打鼓 击乐 萨克",
    "pet": "pet pets dog puppy cat kitten rabbit hamster bird parrot budgie budgies tortoise 宠物 小狗 小猫 仓鼠 鹦鹉 乌龟 兔子",
    "bank": "bank santander barclays hsbc monzo revolut n26 paypal 银行 工行 招行 建行 农行 账户 户头",
    "news": "newspaper guardian economist magazine subscription subscribe 报纸 杂志 订了 退订 新闻",
    "streaming": "netflix mubi spotify hulu disney streaming series 追剧 奇艺 腾讯 优酷 剧集",
    "book": "book novel reading 读完 在读 小说",
    "editor": "vim emacs code ide 编辑",
    "alarm": "alarm 闹钟",
    "holiday": "holiday vacation 度假 旅行",
    "deadline": "deadline thesis due 截止 宽限 论文",
    "vegetables": "vegetables vegetable market groceries 买菜 订菜",
}
"""Of such a matter a person has one at a time, as a rule."""


@cache
def _facets() -> dict[str, frozenset[str]]:
    return _by_term(_FACETS)


@cache
def _topics() -> dict[str, frozenset[str]]:
    return _by_term(_TOPICS)


def _by_term(lists: Mapping[str, str]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for topic, words in lists.items():
        for word in words.split():
            if terms := index_tokens(word):
                found.setdefault(terms[-1], set()).add(topic)
    return {term: frozenset(topics) for term, topics in found.items()}


def topics_of(terms: Iterable[str]) -> frozenset[str]:
    """The topics that index terms are about; mostly one or none."""
    known = _topics()
    return frozenset().union(*(known.get(term, ()) for term in terms))


def facets_of(terms: Iterable[str]) -> frozenset[str]:
    """Of which matters, such as where somebody lives, index terms are, of which a person has one at a time."""
    known = _facets()
    return frozenset().union(*(known.get(term, ()) for term in terms))
