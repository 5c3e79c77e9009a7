"""How job ads word things, in both languages: headings, cues, numbers. Data only."""

# ruff: noqa: E501 - a pattern is read in one piece

import re
from enum import StrEnum
from typing import Final


class Part(StrEnum):
    """What a stretch of an ad is for."""

    HEAD = "head"
    DUTIES = "duties"
    MUST = "must"
    NICE = "nice"
    NOISE = "noise"
    WAIVED = "waived"  # what the ad says does not matter


def _words(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


# A heading is matched whole, after its decoration is gone. Nice before must: "preferred
# qualifications" holds both words.
HEADINGS: Final[tuple[tuple[Part, re.Pattern[str]], ...]] = (
    (
        Part.NICE,
        _words(
            r".{0,8}加分(?:项|条件|点)?.{0,6}",
            r".{0,6}优先(?:条件|项|考虑|资格)?(?:\s*[(（].*[)）])?",
            r"(?:以下|符合|满足).{0,14}(?:优先|加分).{0,6}",
            r"(?:preferred|desired|desirable|additional|bonus|optional)\b.{0,40}",
            r"(?:it'?s |it would be )?(?:a )?(?:nice|good|great)[\s-]to[\s-]haves?.{0,30}",
            r"bonus(?: points?)?(?: if)?.{0,30}|pluses|what would be a plus|(?:big |strong )?plus(?:es)?(?: if.{0,30})?",
            r"(?:even better|extra credit|ideally|you might also have|(?:you(?:'ll)? )?stand out).{0,30}",
            r"what (?:will|would) (?:make|help) you stand out.{0,20}|ways to stand out.{0,40}",
        ),
    ),
    (
        Part.MUST,
        _words(
            r"(?:任职|岗位|职位|应聘|招聘|基本|必备|硬性|能力|技能|技术|资格|人员|我们的|对你的|学历)?"
            r"(?:要求|资格|条件|技能|能力要求|素质要求|资质)(?:\s*/?\s*(?:requirements?|qualifications?))?",
            r"(?:任职|职位|岗位|应聘)(?:要求|资格|条件)(?:及.{1,6})?|必备项|必备条件|必须(?:具备|项)|硬性(?:技能)?要求",
            r"(?:我们|团队)?(?:希望|期待|期望|寻找|在找)(?:的)?(?:你|您|候选人|人选).{0,10}|你需要(?:具备|有)?.{0,6}|希望你(?:有|具备)?|你(?:应该)?具备.{0,6}|候选人画像|任职资格.{0,6}",
            r"(?:job |basic |minimum |required |key |core |must[\s-]have |technical |general |hard |essential )*"
            r"(?:requirements?|qualifications?|skills?|competenc(?:y|ies)|criteria|must[\s-]haves?)"
            r"(?:\s*(?:and|&|/)\s*(?:requirements?|qualifications?|skills?|experience))*(?: required)?",
            r"(?:what|who|things) (?:you(?:'ll|'re| will| are|'ve)?|we(?:'re| are)?)\s?(?:need|bring|have|look(?:ing)? for|require|expect|want|should have|must have|got).{0,40}",
            r"you|about (?:you|your .{1,24}|the (?:person|candidate|applicant|ideal .{1,24}))|(?:you(?:'ll)? (?:have|bring|need|should have|are|must have)|who you are|about you|your (?:profile|background|skills|experience)|we(?:'re| are) looking for|we expect|you may be a (?:good )?fit if.{0,10}|you might thrive.{0,30}|(?:your )?experience(?: and skills)?)",
        ),
    ),
    (
        Part.DUTIES,
        _words(
            r"(?:工作|岗位|职位|主要|核心)?(?:职责|内容|任务)(?:描述)?(?:\s*/?\s*responsibilities)?|(?:职位|岗位|工作)描述|你(?:将|会)?(?:要)?(?:负责|做)(?:什么|的事)?.{0,6}|你的工作.{0,4}",
            r"(?:key |main |core |job |your |primary )*(?:responsibilit(?:y|ies)|duties|tasks|mission|scope)(?: include)?(?:\s*(?:and|&) duties)?",
            r"(?:what you(?:'ll| will|'d)? (?:do|be doing|work on|own|build)|in this role.{0,30}|the role|about the (?:role|job|position)|role overview|job description|(?:day[\s-]to[\s-]day|your (?:role|impact|day)).{0,20}|you will|what you get to do|the opportunity|job summary)",
        ),
    ),
    (
        Part.NOISE,
        _words(
            r"(?:公司|团队|部门|企业|关于(?:我们|公司|团队)|我们(?:是谁|提供|的优势)?)(?:介绍|简介|福利|提供|是谁|文化|信息)?|(?:薪资|薪酬|福利|待遇|工作地点|工作时间|公司福利|薪资福利|福利待遇|员工福利|你将(?:获得|得到)|投递|联系|申请|招聘流程|面试流程|简历投递|其他信息|亮点|职位亮点)(?:.{0,8})",
            r"us|the team|(?:about (?:us|the (?:company|team)|.{1,20}$)|who we are|our (?:company|team|story|values|mission|culture|tech stack)|(?:the |our )?(?:benefits|perks|compensation|salary|pay).{0,40}|what we offer|we offer|why (?:us|join|work|you).{0,30}|how to apply|equal (?:employment )?opportunity.{0,30}|eeo.{0,20}|location|diversity.{0,30}|our commitment.{0,30}|(?:the )?interview process|disclaimer|privacy.{0,20}|company overview|additional information|what(?:'s| is) in it for you|next steps|work authori[sz]ation)",
        ),
    ),
)

# A heading in the writer's own words: a line that ends in a colon, a marked heading, a label or a
# table's first cell. The first cue found decides.
CUES: Final[tuple[tuple[Part, re.Pattern[str]], ...]] = (
    (
        Part.WAIVED,
        _words(
            r"不看|不卡|不限|不要求|不需要|不在意|没关系|无所谓|不介意|不强求",
            r"deal[\s-]?breakers?|don[’']t worry|we don[’']t mind|(?:not|n[o']t|never) (?:needed|required|necessary|matter|care)|optional extras? you can skip|no need",
        ),
    ),
    (
        Part.NOISE,
        _words(
            r"福利|待遇|薪|我们在做|团队|文化|回报|我们给|我们提供|你(?:能|会|将)?(?:得到|拿到|收获)|公司|团队介绍|关于我们|我们是谁|地点|地址|坐标|联系|投递|流程|时间安排|截止|人数|编制",
            r"\b(?:benefits?|perks?|pay|salary|compensation|rate|stock|offers?|about us|who we are|company|location|where|contact|apply|schedule|deadline|start date|headcount|visa|subject|disclaimer|rewards?|remuneration|package|practical(?:s|ities)|logistics|(?:hiring|interview|application) process|how we hire|culture|(?:our|about the) team|(?:do|will) i get|you(?:[’']ll| will)? get|in return|small print|good to know)\b",
        ),
    ),
    (
        Part.NICE,
        _words(
            r"加分|优先|更好|更佳|更棒|更理想|更加分|额外|如果还有|锦上添花|还想要|若还|如果还|如虎添翼|有则",
            r"\b(?:nice|bonus|plus|preferred|preferably|desir\w+|good[\s-]to[\s-]have|extras?|beyond|on top|above and|differentiators?|distinguish|ideally|even better|useful|helpful|welcome|appreciated|advantageous|icing|cherry|would be (?:great|lovely|good)|would (?:love|like|delight|impress))\b",
        ),
    ),
    (
        Part.DUTIES,
        _words(
            r"职责|挑战|你(?:来|要|将|会)?(?:做|负责|面对|参与|遇到)|工作内容|(?:负责|参与)(?:什么|哪些)|日常|职位描述|岗位描述",
            r"\b(?:responsib\w+|dut(?:y|ies)|you(?:'ll| will| would)? (?:do|build|own|work|be doing|tackle)|day[\s-]to[\s-]day|mission|the work|the job|tasks?|accountabilit\w+|purpose|challenges?|a typical|typical (?:day|week)|week|(?:will|do) i (?:do|work)|first (?:months?|year|90 days)|what(?:[’']s| is) the job)\b",
        ),
    ),
    (
        Part.MUST,
        _words(
            r"要求|条件|必(?:备|会|须)|硬|看重|看中|想找|门槛|基本功|底子|背景|经历|学历|年限|会(?:什么|的)|^会$|要有|具备|带来|这样|来的人|(?:长|什么)样|适合(?:谁|你)|合适|候选人|对象|应聘者|技能|技术栈|框架|语言|希望|期待",
            r"\b(?:need(?:s|ed)?|must(?:[\s-]haves?)?|requir\w+|qualif\w+|skills?|abilit(?:y|ies)|looking for|look for|what matters|who you are|you (?:have|bring|are)|is this you|years|education|degree|stack|should (?:have|bring)|experience must include|essentials?|necessary|indispensable|profile|background|knowledge|experience|expertise|languages?|call you back|get you (?:hired|in)|fit (?:here|in)|succeed|thrive|ideal candidate)\b",
        ),
    ),
)
LONGEST_LABEL: Final = 16

# A requirement heading that is followed by its content on the same line.
INLINE_HEADING: Final = re.compile(
    r"^[\s#*【\[(（<《「]{0,6}([^：:】\]）)\n]{2,32})[】\])）>》」*]{0,3}\s*[：:】]\s*\**"
)

BULLET: Final = re.compile(
    r"^[\s　]*(?:[-–—*•·●○■□▪▶►◆◇★☆✓✔➢➤√§]+|[（(]?(?:\d{1,2}|[一二三四五六七八九十]{1,3}|[a-zA-Z])[)）、．]|\d{1,2}[.:：](?!\d)|[①-⑳]|[一二三四五六七八九十]{1,3}、)[\s　]*"
)
INLINE_NUMBER: Final = re.compile(
    r"(?<![\dA-Za-z.vV])(?:[（(]\d{1,2}[)）]|\d{1,2}(?:[、．)）]|[.](?=[\s\u3400-\u9fffA-Z])(?!\d))|[①-⑳])\s*"
)

NICE_ZH: Final = re.compile(
    r"优先|加分|更佳|为佳|尤佳|最好|更好|更优|则佳|者佳|锦上添花|会更好|很高兴|非常高兴|更香|给高|算分|太棒|更棒|太好了|如虎添翼|(?:也|尤其|特别|非常|同样|更)欢迎|受欢迎|有优势|更占优|非必[须需要]|可选|优先录用|不强制|不是必须|不作硬性|不做硬性|亮点"
)
NICE_EN: Final = re.compile(
    r"\b(?:prefer(?:red|ably|ence)?|a (?:\w+ )?plus|plus(?=\s*(?:[.);]|$))|nice[\s-]to[\s-]have|good[\s-]to[\s-]have|bonus|ideal(?:ly)?|desir(?:ed|able)|"
    r"(?:is|are|would be|be) (?:an? )?(?:\w+ )?(?:advantage|asset|helpful|beneficial|welcome|valued|great|nice|advantageous|useful)|advantageous|"
    r"an? (?:\w+ )?(?:advantage|asset)|optional|not (?:mandatory|strictly required|a must|essential|required but)|even better|highly valued|"
    r"stand out|extra (?:credit|points)|we(?:'d| would) (?:love|like)|great if|helps? if|would help|lovely|make us (?:\w+ )?happy|happy to see|useful|delighted|thrilled|(?:is|are) welcome|welcome(?=\s*(?:[.;,)]|$))|helps?(?=\s*(?:[.;,)]|$))|appreciated|icing on the cake|cherry on top|counts in your favou?r)\b",
    re.IGNORECASE,
)
MUST_CUE: Final = re.compile(
    r"必须|必备|务必|硬性要求|\b(?:must|required|mandatory|essential|is a requirement)\b",
    re.IGNORECASE,
)

NEGATED: Final = re.compile(
    r"不要求|都行|都可以(?=[，。；]|$)|不是门槛|不是硬|好说|不是问题|没要求|不设限|不拘|不论(?!文)|不卡|不看|不挑|不在意|不在乎|都?无所谓|不做要求|不作要求|无需|不需要|不必|不限(?!于|与)|可以没有|没有.{1,10}(?:也可|亦可|也行|没关系)|不强制要求|零基础"
    r"|\bof no (?:interest|importance)\b|\b(?:(?:is|are)(?:n't| not)|not|never) (?:\w+ )?(?:required|necessary|needed|mandatory|a requirement|expected)\b"
    r"|\bno (?:prior |previous |\w+ )?(?:\w+ )?(?:experience|degree|knowledge|background)(?: \w+){0,3} (?:is |are )?(?:required|necessary|needed)\b"
    r"|\bno (?:\w+ )?(?:degrees?|experience|background) (?:needed|necessary|required)\b|\b(?:do not|don't|does not|doesn't) (?:need|require|care|matter|ask for)\b",
    re.IGNORECASE,
)

ANY_OF: Final = re.compile(
    r"至少.{0,6}?[一1](?:种|门|个|项|款|类)|其中(?:之一|[一1](?:种|门|个|项|款|类)|任意)|任[一意](?:[一1]?(?:种|门|个|项|款|类))?|之一|[一1](?:种|门|个|项|款|类)(?:或|及|以|或者)(?:多|以上|几)"
    r"|[一两]种以上|或者?|(?:例如|譬如|比如|诸如|如[:：]?(?=\s*[A-Za-z])|包括但不限[于与])|等(?!级|价|同|于|候|待|等)"
    r"|\b(?:at least one|one or more|(?:any |either )?one of|any of|either|or|such as|e\.?g\.?|for example|and/or|including but not limited to|similar|equivalent|like)\b",
    re.IGNORECASE,
)

DIGITS_ZH: Final = {
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
    "十": 10,
}
DIGITS_EN: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}  # fmt: skip
_N: Final = r"(?:\d{1,2}(?:\.\d)?|[一二两三四五六七八九十]|" + "|".join(DIGITS_EN) + ")"
YEARS: Final = re.compile(
    rf"({_N})\s{{0,3}}(?:\+|or more|plus)?\s{{0,3}}(?:(?:-|–|—|~|～|至|到|to)\s{{0,3}}{_N}\s{{0,3}})?\+?\s{{0,3}}"
    r"(?:\([^)]{0,6}\)\s{0,3})?(?:年|\byears?\b|\byrs?\b)"
    r"(?!以下|内|假|薪|龄|会|级|终|度|前)",
    re.IGNORECASE,
)
YEARS_OF_SOMETHING_ELSE: Final = re.compile(
    r"for over \d{1,3} years|(?:成立|创立|深耕|founded|over the (?:last|past)).{0,12}(?:年|years)|after \d{1,3} years of employment|近\s?\d{1,3}\s?年|(?<!\d)\d{1,3} years? (?:contract|warranty|vesting)|连续\s?\d{1,3}\s?年",
    re.IGNORECASE,
)
FRESH: Final = re.compile(
    r"应届|校招|在校生|new grad(?:uate)?s?\b|(?<!\d)(?:20)?\d\d\s*届|经验不限|不限经验",
    re.IGNORECASE,
)

# Highest first; a degree "and above" is its lowest.
DEGREES: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("college", re.compile(r"大专|专科|associate(?:'s|’s)? degree", re.IGNORECASE)),
    (
        "bachelor",
        re.compile(
            r"本科|学士|\b(?:bachelor(?:'s|’s|s)?|undergraduate|b\.?s\.?c?|b\.?a|b\.?eng|b\.?tech)\b(?!\.?\w)|本硕",
            re.IGNORECASE,
        ),
    ),
    (
        "master",
        re.compile(
            r"硕士|硕博|研究生|\b(?:master(?:'s|’s)?(?=\s+(?:degree|or|in|of|/|and)|[,.;)]|$)|m\.?s\.?c?|m\.?eng|graduate degree|advanced degree)\b(?!\.?\w)",
            re.IGNORECASE,
        ),
    ),
    ("phd", re.compile(r"博士|\b(?:ph\.?\s?d\.?|doctorate|doctoral)", re.IGNORECASE)),
)
MAJOR: Final = re.compile(
    r"专业|(?:related|relevant|technical|quantitative|similar) (?:field|discipline|subject|area|major)|computer science|major in",
    re.IGNORECASE,
)
EDUCATION: Final = re.compile(
    r"学历|学位|毕业|985|211|双一流|统招|全日制|院校|高校|\bdegree\b|university|gpa\b",
    re.IGNORECASE,
)

NOISE_LINE: Final = re.compile(
    r"equal (?:employment )?opportunity|without regard to|race, (?:colou?r|religion)|reasonable accommodation|protected (?:veteran|class|characteristic)|"
    r"health (?:insurance|care)|dental|401\(?k|paid (?:time off|leave|vacation)|base salary|salary range|compensation|stock options|visa sponsorship|"
    r"background check|privacy (?:policy|notice)|apply (?:now|today|here)|click|cookies|"
    r"五险一金|六险一金|带薪年假|年终奖|股票期权|期权激励|下午茶|班车|补贴|双休|节日福利|薪资|月薪|年薪|(?<!\d)\d{1,4}k-\d{1,4}k|登录查看|查看更多|举报|分享|扫码|"
    r"简历(?:请)?(?:发送|投递|发)|联系(?:方式|人|电话)|工作地点|工作地址|办公地点|学习路线|点击|公众号|竞争力的(?:薪酬|薪资)|弹性工作|健身房|报销|团建|私(?:我|信)|发简历|telecommut|\btime zones?\b|\butc\s?[±+-]|\bremote (?:within|from|work|possible|friendly)|\b(?:is|are|be) based in\b|\bsalary\b|\bwe (?:pay|offer|provide)\b|\bping me\b|\b(?:has|have) grown\b|\bfounded in\b|\brelocation\b|\bhybrid\b|\bin the office\b|\bon-?site\b|days? of (?:leave|holiday)|\bright to work\b|免费(?:三餐|午餐|零食)|体检|补充医疗|年假|公积金|住房补贴|租房补贴|落户|股权|奖金|晋升(?:通道|空间|机会)|扁平(?:化)?管理|面试(?:流程|共|轮次)|[一二三四两]轮面试|笔试|试用期|工作时间|上班时间|大小周|办公(?:室|环境)|导师制|培训(?:机会|体系)|人性化|商业保险|生日|旅游|paid (?:holidays?|leave|parental|sick)|parental leave|pension|\bgym\b|wellness|\bperks?\b|learning budget|(?:training|conference|education|home[\s-]office|hardware|equipment) (?:budget|stipend|allowance)|stipend|\bbonus(?:es)? (?:of|up to|scheme|plan)|annual bonus|signing bonus|\bstock\b|\bequity\b|\bRSUs?\b|free (?:lunch|food|fruit|coffee|meals?|snacks?)|\blunch\b|catered|snacks|commut(?:e|er|ing)|public transport|flexible (?:hours|working)|working hours|remote[\s-](?:first|only)|days? (?:a|per) week (?:in|at|from)|(?:take-?home|phone screen|recruiter (?:call|screen)|reference checks?|final round|on-?site interview|interviews? with|(?<!\d)\d{1,3}[\s-]minute (?:call|chat|interview))|macbook|laptop of your choice|team (?:events?|retreats?|offsites?)|series [A-E]\b|(?:seed|venture)[\s-]funded|headquarter|(?:open|closes?) until|probation|diversity|inclusive|\brate doe\b",
    re.IGNORECASE,
)
DUTY_START: Final = re.compile(
    r"^(?:负责|参与(?!过)|主导(?!过)|推动|协助|支持|跟进|制定|构建|搭建|建设|设计(?!过)|研发|开发(?!过|能力|经验)|承担|完成|落地|跟踪|探索|维护|打造|优化(?!过|经验)|与.{1,12}(?:合作|协作|配合)|"
    r"(?:you(?:['’]ll| will)(?! (?:have|need|bring|be\b|know))|will |design(?:ing)?\b|build(?:ing)?\b|develop(?:ing)?\b|own\b|lead(?:ing)?\b|collaborat(?:e|ing)\b|work (?:with|closely|on)\b|partner\b|implement(?:ing)?\b|optimi[sz](?:e|ing)\b|drive\b|maintain(?:ing)?\b|support(?:ing)?\b|responsible for|scale\b|improve\b|create\b|contribute\b|conduct\b|mentor\b|debug\b|profile\b|deliver\b|operate\b|help\b|research\b|train\b|define\b|participate\b))",
    re.IGNORECASE,
)
ASKS: Final = re.compile(
    r"熟悉|精通|掌握|熟练|了解|具备|具有|拥有|经验|优先|加分|本科|硕士|博士|学历|专业|年以上|理解|能力|扎实|功底|热爱|良好|擅长|参与过|必须|"
    r"\b(?:experience|proficien\w+|knowledge|familiar\w*|understanding|degree|years?|ability|skills?|expertise|background|track record|hands-on|fluen\w+|preferred|required|plus|must|strong|passion\w*|taken for granted|applicants?|it matters|prior work|programming in|comfortable|demonstrated|proven)\b",
    re.IGNORECASE,
)
# The reader of the ad is the subject: "you've run", "someone who", "can you"; in Chinese what was
# done (V过) or can be done (会V). What the reader will do is a duty.
CANDIDATE: Final = re.compile(
    r"\b(?:you(?:'ve|’ve| have| are|'re|’re| can| know| should| must)|you(?:'d|’d| would) be (?:\w+ )?(?:right|good|at home|fit)|"
    r"someone (?:who|with)|(?:have|can|do|are|did) you|they (?:have|know|can|are)|(?:who|has|have) (?:ever )?(?:run|built|trained|written|tuned|shipped|owned|worked|led|debugged|scaled)|that means)\b"
    r"|(?<![超通不经越胜])过(?![程去硬滤高大多于渡期])|会(?:写|用|改|调|做|看|读|查)|懂|能(?:独立|自己|看懂|写|讲|改|把)|你(?:习惯|熟|擅长|喜欢)|\byou (?:\w+ly )?(?:write|read|understand|speak|enjoy|love|care|think|feel)\b|\bare not afraid\b|\byou(?:['’]ll| will) (?:have|need|bring|know|be (?:comfortable|fluent|able|familiar|at home))\b|\byou bring\b|\bwe(?:['’]re| are)? (?:want|after|need|expect|looking for|hoping for|hope for)\b|\b(?:someone|anyone|somebody|people|engineers) (?:who|with|that)\b|\b(?:has|have|having) (?:\w+ly )?(?:\w{3,}ed|spent|seen|kept|taken|made|done|gone|written|built|run)\b|\bthe (?:right |ideal |successful )?(?:person|candidate|engineer|applicant|hire)\b|\b(?:they|he or she|candidates?|applicants?) (?:should|must|will|need)\b|希望你|有.{1,16}(?:认识|心得|体会)|至少(?:精通|熟悉|掌握|会)",
    re.IGNORECASE,
)
# How a clause of its own begins; anything else behind a comma goes on with the clause before.
OWN_PREDICATE: Final = re.compile(
    r"^(?:并|且|同时|此外|另外|以及|及|和|或|对|但)?(?:其中.{0,6}[\d一二两三四五六七八九十].{0,4}年|每周|每天|到岗|.{1,30}(?:熟|过关|在行|拿手|没问题|能上手.{0,4}|熟练|扎实|可选|流利|良好|过硬|优秀|更好|者佳)$|有|具有|具备|拥有|熟悉|熟练|精通|掌握|了解|理解|能|会|善于|擅长|深入|深刻|对.{1,40}(?:有|感兴趣|熟悉|理解)|本科|硕士|博士|大专|统招|全日制|学历|毕业|"
    r"\d{1,2}\s?[-~～至到+]?\s?\d{0,2}\s?年|[一二两三四五六七八九十]年|至少|不少于|良好|优秀|较强|很强|强烈|出色|扎实|热爱|喜欢|[\u4e00-\u9fff]{1,3}过(?![程去硬滤高大多于渡期往])(?!.{0,12}的话)|发表|必须|需要?|要求|年龄|愿意|接受|请|.{1,24}至少(?:精通|熟悉|掌握|会|了解)?.{0,3}[一1二两][门种项个款]|乐于|勇于|抗压|身体|普通话|可以?(?:接受|出差|适应|独立|熟练)|责任心|沟通|团队|学习|英语|英文|自驱|"
    r"计算机.{0,20}专业|.{1,30}(?:相关)?专业(?:背景|毕业|优先)?$|.{0,40}(?:优先|加分|更佳|为佳|尤佳|不限|不要求|无需))"
    r"|^(?:and |or |but |plus |with |as well as |also |as is |as are )?(?:(?:a |an |the )?(?:strong|solid|deep|good|excellent|proven|demonstrated|hands-on|practical|working|prior|previous|extensive|in-depth|basic|some|significant|outstanding|great|advanced|clear|thorough|relevant)\b|"
    r"experience|experienced|familiar|knowledge|understanding|proficien|expertise|ability|able to|comfort|fluen|track record|bachelor|master|ph\.?d|bs\b|ms\b|degree|\d{1,2}\s?\+?\s?(?:-\s?\d{1,2}\s?)?years?|at least|must|(?:can|has|have|reads?|writes?|knows?|understands?|enjoys?|loves?|speaks?)\b|you (?:have|are|can)|passion|publication|contributions?|background|excellent|skilled|expert|minimum)",
    re.IGNORECASE,
)
# A cue by itself says how the clause before it is meant.
BARE_CUE: Final = re.compile(
    r"(?:在)?(?:同等条件下?)?(?:者)?(?:将|可|会|则|均|可以|予以|给予|被)*(?:优先(?:考虑|录用|录取|安排)?(?:面试)?|加分|更佳|最好|更好|为佳)(?:考虑)?"
    r"|(?:would be |is |are )?(?:strongly |highly )?(?:preferred|a plus|an advantage|desirable|welcome)",
    re.IGNORECASE,
)
CONDITIONAL_START: Final = re.compile(
    r"^(?:有|具有|具备|参与过|参加过|主导过|从事过|发表|做过|使用过|开发过|贡献过|在.{2,30}(?:发表|有))"
)
HARD_START: Final = re.compile(r"^(?:熟悉|熟练|精通|掌握|必须|扎实|本科|硕士|博士|至少|\d)")

TITLE_LABEL: Final = re.compile(
    r"^(?:职位名称|岗位名称|招聘岗位|招聘职位|招聘|诚聘|职位|岗位|job title|title|position|role)\s*[:：]\s*(.+)$",
    re.IGNORECASE,
)
TITLE_WORD: Final = re.compile(
    r"工程师|研究员|科学家|架构师|专家|实习生|负责人|开发|算法|经理|总监|engineer|scientist|researcher|developer|architect|intern\b|lead\b|manager|specialist|technical staff",
    re.IGNORECASE,
)
LEVELS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("intern", re.compile(r"实习|\bintern(?:ship)?\b", re.IGNORECASE)),
    ("principal", re.compile(r"首席|\b(?:principal|distinguished)\b", re.IGNORECASE)),
    ("staff", re.compile(r"专家|架构师|\bstaff\b(?! of)|\barchitect\b", re.IGNORECASE)),
    ("lead", re.compile(r"负责人|主管|总监|\b(?:lead|head|manager|director)\b", re.IGNORECASE)),
    ("senior", re.compile(r"高级|资深|\b(?:senior|sr\.?)\b", re.IGNORECASE)),
    ("mid", re.compile(r"中级|\bmid(?:-level)?\b", re.IGNORECASE)),
    (
        "junior",
        re.compile(
            r"初级|校招|应届|\b(?:junior|jr\.?|entry[\s-]level|new grad(?:uate)?)\b", re.IGNORECASE
        ),
    ),
)
