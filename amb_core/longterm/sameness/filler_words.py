"""Words that carry nothing a memory could differ in, and words that may be said one way or another, as data.

Never put a word here that somebody could change to mean something else ("some", "sometimes", "read", "column").
"""

__all__ = ["EMPTY", "EMPTY_HAN", "SOFT"]

EMPTY = """
    as_often as_often_as require requires ones equals equal equal_to roughly approximately circa either a an the this that these those there here it its he him his she her hers they them their theirs we us our ours you your
    yours yourself one's who whom whose which what is are was were be been being am 's 're 've 'll 'd s t d ll m re ve do does
    did doing done has have had having will would shall should must can could ought need needs needed to of in on at for with
    by as from into onto upon about and also too very really quite just so then thus hence therefore while when whenever
    where wherever how however because since if whether than such both each every all any always ever generally usually typically
    normally please kindly thanks thank want wants wanted like likes liked prefer prefers preferred preferring preference preferences
    preferable preferably wish wishes wished love loves hope hopes would_like would_rather d_like d_rather d_prefer rather favor
    favour favorite favourite keen enjoy enjoys tend tends desire desired let lets make makes sure ensure ensures remember
    note notes mind bear keep_in_mind take_care from_now_on going_forward in_future in_the_future henceforth onwards_please by_default
    default defaults whatever anything everything something thing things consistently invariably strictly exclusively only solely
    merely simply actually currently now at_the_moment right_now already still yet again well namely i.e e.g eg ie etc
    respectively accordingly according_to with_respect_to with_regard_to regarding concerning as_for in_terms_of in_order_to so_that
    as_well as_well_as in_addition additionally furthermore moreover out_of_which up_front of_course in_general in_case it_would_be_great
    it_would_be_nice could_you can_you would_you if_possible feel_free be_aware bear_in_mind make_sure make_sure_that we_should you_should
    ask asks asked asking request requests requested requires required_by requirement expect expects expected expectation instruct
    instructed instruction supposed meant intended mentioned said says say saying told tell tells stated explained confirmed
    confirm confirms noted habit habitual accustomed used_to_having okay during within inside
    should_be must_be to_be has_to have_to need_to needs_to is_to are_to ought_to be_sure so_far over_time with_time
    hey hi hello btw by_the_way fyi honestly basically essentially in_fact indeed though although own oneself itself
    themselves himself herself myself yourself_please ever_so
"""

EMPTY_HAN = """
    式 都是 正在 正 经 经过 向 相比 与之相比 打 期间 以内 内 之内 的 了 着 过 地 得 之 是 为 在 于 对 对于 关于 把 将 被 由 给 让 使 请 麻烦 烦请 劳驾 务必 记得 记住 注意 希望 想 想要 要 需要 需 应 应该 应当 须 必须 得 会 能 能够 可以 可
    喜欢 喜爱 偏好 偏爱 偏向 倾向 倾向于 习惯 习惯于 爱 愿意 宁愿 更 更加 最好 尽量 尽可能 尽 一律 一概 总是 总 始终 一直 永远 都 全都 均 全部 所有 全 每 各 各个 每个 每次 每一 任何 凡是 凡 统统 通常
    一般 默认 默认情况下 以后 今后 往后 从今以后 从现在起 从现在开始 以后都 日后 后续 目前 当前 现在 如今 已 已经 曾 也 还 又 就 才 便 则 而 而且 并 并且 或 或者 或是 和 与 及 以及 跟 同 且 那 那么 这 这个 这些 那个 那些
    该 其 它 他 她 它们 他们 她们 我们 咱们 你 您 你们 自己 本 某 这样 那样 这里 那里 那儿 这儿 一个 一种 一些时 个 种 类 些 们 里 里面 中 其中 当中 上 上面 下面 方面 方式 办法 情况 情况下 时 时候 的时候 时请 期间 只 只能
    仅 仅仅 只是 只有 才能 都要 都用 要用 要求 请求 说 表示 提到 说明 提出 指出 告诉 认为 觉得 知道 发现 得出 确认 因为 由于 所以 因此 于是 如果 若 若是 一旦 只要 的话 按照 根据 依据 依照 依 以 作为 当 当作 称作 吧 啊 呢 吗 呀 哦 嘛
    啦 谢谢 非常 很 十分 特别 比较 较 大家 有 具有 拥有 来 去 去做 进行 做 作 予以 加以 来做 好 好的 地方 有关 相关 相应 相关的 随时 属于 算 算作 视为 当做 叫做 即 也就是 就是 指 指的 是指 指的是 定义为 即为 等于 意思 意味着 到底 其实
    提醒一下 一下 提个醒 再提醒一下 顺便 顺便说一下 顺便提一下 重申 重申一下 再说一遍 再次强调 强调一下 补充一下 说一下
    平时 一般来说 通常来说 通常情况下 为准 等 等等 左右 大约 大概 约 差不多 的是 所 从来 得到 给出 哪里 怎么 如何 的地方 每当 不管 无论 凡 起来 出来 下来 上去 到 至
"""

SOFT = """
    other others another 其他 其它 另外 另 别的|user i me my mine myself 用户 我 我的 本人 使用者 俺|use uses used using utilize utilise utilization employ apply application applied
    adopt rely leverage choose opt pick select 使用 采用 运用 选用 应用 用 走 通过 借助 利用 选择 基于|
    show shows shown display displays present presented presentation render output print visualize visualise depict illustrate appear express expressed
    state quote indicate 显示 展示 呈现 展现 列示 输出 表示为 体现 看 看到|give gives given provide provided supplies supplied supply 供应 供货 offer hand deliver deliverable 提供 交付 给到|
    format formatted formatting form style layout notation fashion way manner 格式 形式 样式 版 版式 写法 方法 计算方式 写成|
    value values figure figures data datum information info detail details result results outcome finding findings content contents
    数值 数据 值 数字 信息 结果 内容|type kind sort_of category 类型 类别 种类|mode setting settings option options configuration preference_for theme 模式 设置 选项 配置 主题|
    unit units measure measured measurement measurements reading readings metric_value 单位 计量 口径 测量 衡量|place places 位 位数|
    file files document_file 文件|folder directory path location 文件夹 目录 路径 位置|
    write writes written writing wrote 写 写到 写进 写入 书写 编写 记录|save saved saves saving store stored stores storing storage put puts persist persisted written_to located find found available accessible
    保存 存 存放 存到 存入 存储 存在 放 放在 放到 放置 位于 处于 坐落 找到 存成|keep keeps kept keeping retain retained retention preserve maintain maintained hold held holds holding stay stays remain remains 保留 留存 保持 维持 留 存留|
    contain contains contained comprise consist hold_in have_in with_contents come comes originate originates from_source 含有 来自 装 收录|
    run runs running ran execute executed execution perform performed conduct conducted carry carry_out carried_out do_run launch trigger invoke
    运行 执行 跑 开展 实施 触发 操作|happen happens occur occurs take_place takes_place took_place held_at be_held 发生 举行 举办 开 召开|
    mean means meaning refer refers denote denotes define defined defines definition defining counted counting consider considered regard regarded regards deem
    deemed treat treated classify classified understand understood represent represents 定义 统计 计入 计算入 计数 称 含义 算入 归为|
    calculate calculated calculation compute computed computation computing determine determined work_out worked_out derive derived obtain obtained 计算 算出 得出 求 测算 算得 算法|
    get gets getting got receive received receives receipt 收到 接收 得到 获得 获取 拿到 享受 享有|go goes going went run_through against 去往|
    handle handled deal dealt process processed manage managed_by 处理 对待 打理|work works working_on 工作 干活|
    please_note address addressed call called name_as refer_to 称呼 叫 称为 喊|take lasts lasted lasting takes taken taking took bring brings 拿 取 坐 乘坐 搭乘 乘|
    base based basis on_the_basis 依据于|set sets arrange arranged arrangement organise organize organized plan planned schedule scheduled scheduling 安排 排 定 设定 定在 排在 计划 规划 设|
    allow allowed allows permit permitted permission enable enabled enabling activate activated turn_on switch_on switched_on turned_on able may 允许 准许 准 启用 打开 开启 开放|
    include included includes including inclusive contain_in account_for taken_into_account part 包含 包括 含 算上 纳入 计算在内 涵盖 带|
    system standard scheme convention 系统 体系 制 标准|terms case cases situation 情形|report_on reported|look looks see view viewed 查看 查 查询时 浏览|
    sound sounds tone 语气 口吻 口气|overall in_total 总共 共计|new_entry entry entries item items 条目 项 条|
    people person persons those_who 人 人士 者|action step 步骤 动作|question questions matter matters issue issues topic query_about 问题 事情 事项 事 疑问|
     area aspect respect 领域|recipient 收件人|main key_point core primary principal chief 主要 核心 首要|reason lead_to leads_to led_to leading_to result_in results_in resulted_in cause causes caused due_to driver 原因 缘由 导致 引起 造成 因为|
    analysis analyse analyze analysed analyzed analytics analytical 分析|company business firm corporate organisation organization 公司 企业 单位名|span duration time_span window 时长 时段长 窗口|
    mention refer_back report_that conclude concluded conclusion 结论 得知 表明 说明了|serve act function 充当 担任|approach technique 方案|
     base_colour 背景色 底色 背景 background|level levels degree 程度|belong belongs owned own_by 归|appropriate suitable proper fit 合适 适合 适宜|
    try attempt strive aim 尝试 努力 力求|contact reach turn_to get_in_touch 联系 找 联络|valid effective in_force 有效 生效 有效期|team_member|create_for|
    read_as 读作|responsible charge in_charge 负责|follow_up|carry_on|take_into|live lives live_in lives_in living_in living reside resides residence home 住 居住 住在 定居 家|
    behave|mark_as mark marked marking flag flagged highlight highlighted emphasise emphasize label labelled labeled tag tagged 标记 注明 写明 标出 标注 标 标明 高亮 突出 突出显示 标识|
    log_entry|dataset data_set 数据集|made_of|appearance|message_to|reply replies replied respond response responses answer answers answered 回答 回复 答复 回应 答案 回|
    reach_out|notify notified notification notifications inform informed alert alerts alerted remind reminder warn warning 通知 提醒 告知 告警 警报 预警|
    send sends sent sending dispatch forward mail_out send_out goes_out go_out sent_out ship_to distribute distributed circulate 发送 发 寄送 寄 发出 发给 推送 送|
    query queries queried lookup fetch retrieve 查询 检索|happen_at|charge charged 收取|speak speaks spoken talk 讲|
    concise_for|ready|prepare prepared generate generated produce produced create created creation draw drawn build built 生成 制作 产生 创建 建 画 绘制 出 做成 产出|
    sort sorted sorting order_by order_of_sort ordered ordering rank ranked ranking arrange_by 排序 排列 排名 排行|communicate communicated communication convey 沟通 传达|
    check checked verify verified validate validated examine inspect 检查 核对 核查 验证 校验|
    sign signed signing 签 签字 签署 签订|related relevant associated concerned pertaining belong_to 相关联|
    following|specific certain particular 特定 指定 具体
"""
