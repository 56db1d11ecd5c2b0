//! The texts of serving: its controls, the view of that name, and how sure a figure is. Both languages side by side.

use vram_ledger::inference::LayerKind;
use vram_ledger::inference::log::LogFigure;
use vram_ledger::ledger::Basis;

use super::{Language, Text};

macro_rules! texts {
    ($($name:ident: $english:literal, $chinese:literal;)+) => {
        /// A text. `{0}`, `{1}` … stand for what is filled in.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ServingText { $($name),+ }

        #[cfg(test)]
        impl ServingText {
            /// Every one.
            pub const ALL: &'static [ServingText] = &[$(ServingText::$name),+];
        }

        impl Text for ServingText {
            fn in_language(self, language: Language) -> &'static str {
                let texts: [&'static str; 2] = match self { $(ServingText::$name => [$english, $chinese]),+ };
                texts[language as usize]
            }
        }
    };
}

texts! {
    // Controls.
    RequestsPart: "Requests", "请求";
    FormatsPart: "Formats", "格式";
    EnginePart: "Memory of the engine", "引擎的显存";
    SplitPart: "Split over GPUs", "跨 GPU 切分";
    Engine: "Engine", "推理引擎";
    TextbookEngine: "Textbook", "教科书口径";
    MemoryFraction: "Memory fraction", "显存占比";
    CacheBytes: "Cache bytes on a GPU", "每块 GPU 的缓存字节数";
    MaxSequences: "Most sequences in a batch", "批次最多序列数";
    CudaGraphs: "CUDA graphs", "CUDA 图";
    LogitsRows: "Rows of logits in a pass", "每次前向的 logits 行数";
    DraftTokens: "Drafted tokens a step", "每步草稿词元数";
    SharedPrefix: "Prefix shared by all (tokens)", "所有请求共享的前缀（词元）";
    Block: "Tokens in a block", "每块词元数";
    LatentCache: "Latent attention caches", "潜在注意力缓存";
    LatentRows: "latent rows", "潜在向量";
    ExpandedRows: "full keys and values", "展开后的键和值";
    ByRequest: "Attention split by request", "注意力按请求切分";
    KvUnified: "One cache for all slots", "所有槽共用一份缓存";
    SwaFull: "Windowed layers at full length", "窗口层按全长缓存";
    NotHere: "Not shown, because {0} or this model has no such thing: {1}. Choosing another engine gives back what only this one has.",
        "以下各项因 {0} 或该模型没有而未显示：{1}。换用其他引擎时，只有当前引擎才有的设置会恢复默认。";
    PlainFormats: "Unquantised", "未量化";
    EightBits: "8 bits", "8 位";
    FourBits: "4 bits", "4 位";
    GgufMixes: "GGUF files (llama.cpp)", "GGUF 文件（llama.cpp）";
    OneScale: "One scale a tensor or head", "每张量或每头一个缩放因子";
    GgmlBlocks: "Blocks of ggml (llama.cpp)", "ggml 分块（llama.cpp）";

    // Answers.
    NothingServed: "Nothing can be served with these settings; the card says why.", "按当前设置无法推理，原因见上方卡片。";
    FitsTerm: "Fits", "能否放下";
    FitsBy: "yes, {0} to spare: {1} of the {2} that one {3} shows", "能，余 {0}：一块 {3} 可用 {2}，需要 {1}";
    ShortBy: "no, {0} too little: it takes {1}, and one {3} shows {2}", "不能，差 {0}：需要 {1}，而一块 {3} 可用 {2}";
    ContextTerm: "Longest context", "最长上下文";
    ContextByMemory: "{0} tokens by memory; the model itself goes to {1}", "按显存为 {0} 个词元；模型自身上限为 {1}";
    ContextByModel: "{1} tokens, the model's own limit; memory would hold {0}", "{1} 个词元，即模型自身上限；显存可容 {0}";
    ContextNoLimit: "{0} tokens by memory; the model states no limit of its own", "按显存为 {0} 个词元；模型未声明上限";
    AtRequests: "with {0} at once", "同时 {0} 个请求时";
    RequestsTerm: "Most requests at once", "最多同时请求数";
    RequestsOf: "{0} of {1} tokens each", "{0} 个，每个 {1} 词元";
    NotOne: "none: not one of {0} tokens finds room", "0：连一个 {0} 词元的请求也放不下";
    FewestTerm: "Fewest GPUs", "最少 GPU 数";
    NoNumber: "no number of these GPUs in one node is enough", "一个节点内放多少块这种 GPU 都不够";
    BindsTerm: "What binds", "受限于";
    PartBinds: "{0}: {1} of {2}, more than the {3} there is for the cache", "{0}：{2} 中占 {1}，多于留给缓存的 {3}";
    CacheBinds: "the cache: it has {0} of {1}, and a request of {2} tokens takes {3}", "缓存：{1} 中可用 {0}，每个 {2} 词元的请求占 {3}";
    KeptFree: "what the engine's budget keeps free", "引擎预算留空的部分";
    BuysTerm: "One change that buys most", "收益最大的一项改动";
    Buys: "{0}: {1} requests instead of {2}", "{0}：可容 {1} 个请求（现为 {2}）";
    BuysBytes: "{0}: {1} less for a GPU to offer", "{0}：每块 GPU 少需 {1}";
    NothingBuys: "none of those tried lets more requests in", "试过的改动都不能容纳更多请求";
    OtherChanges: "Other changes, each tried by itself", "其他改动（逐项单独试算）";
    LeverWeights: "weights in {0}", "权重改用 {0}";
    LeverCache: "cache in {0}", "缓存改用 {0}";
    LeverTensor: "{0} tensor ranks a replica", "每个副本 {0} 路张量并行";
    LeverSequences: "at most {0} sequences in a batch", "批次最多 {0} 个序列";
    LeverFraction: "memory fraction {0}", "显存占比 {0}";
    LeverByRequest: "attention split by request", "注意力按请求切分";
    LeverLatent: "latent rows in the cache", "只缓存潜在向量";
    LeverWindows: "windowed layers no longer than their window", "窗口层只缓存窗口内";
    CardIsSmaller: "Why {0} is not {1}: it is sold with {1} of memory, the vendor's tool prints {2} MiB ({3}), and the framework sees {4} GiB ({5}): driver and error correction have taken their part. What has to fit, and every budget, is taken of the last.",
        "为什么 {0} 不是 {1}：标称显存 {1}；厂商工具显示 {2} MiB（{3}）；框架看到 {4} GiB（{5}），其余被驱动和纠错占用。能否放下以及各引擎的预算都以最后一个为准。";
    CardByFramework: "Why {0} is not {1}: it is sold with {1} of memory, and the framework sees {2} GiB ({3}): driver and error correction have taken their part. What has to fit, and every budget, is taken of the last.",
        "为什么 {0} 不是 {1}：标称显存 {1}；框架看到 {2} GiB（{3}），其余被驱动和纠错占用。能否放下以及各引擎的预算都以后者为准。";
    CardByTool: "Why {0} is not {1}: it is sold with {1} of memory, and the vendor's tool prints {2} MiB ({3}). What a framework sees has not been published; what has to fit is taken of what the tool prints.",
        "为什么 {0} 不是 {1}：标称显存 {1}；厂商工具显示 {2} MiB（{3}）。框架可见的数值没有公开记录，能否放下以工具显示的为准。";
    CardBySale: "{0} is sold with {1} of memory. Neither what its vendor's tool prints nor what a framework sees has been published, so what has to fit is taken of {1}; expect some hundred MB less.",
        "{0} 标称显存 {1}。厂商工具显示的和框架可见的数值都没有公开记录，能否放下以 {1} 为准，实际会少几百 MB。";

    // Engines side by side.
    EnginesTitle: "The same model under each engine", "同一模型在各引擎下";
    EnginesCaption: "One GPU, in {0}; requests and contexts as asked for", "单块 GPU，单位 {0}；请求数与上下文同当前设置";
    EngineColumn: "engine", "引擎";
    WeightsColumn: "weights", "权重";
    PoolColumn: "room for cache", "缓存空间";
    WorkspaceColumn: "workspace", "工作区";
    RuntimeColumn: "runtime", "运行时";
    KeptColumn: "kept free", "留空";
    TokensColumn: "tokens of cache", "缓存词元数";
    MostColumn: "most requests", "最多请求";
    LongestColumn: "longest context", "最长上下文";
    BudgetColumn: "the cache gets", "缓存可得";
    BudgetFree: "whatever is free", "全部空闲显存";
    BudgetDevice: "what weights, a trial pass and the runtime leave of {0} of the whole device", "整卡的 {0} 减去权重、试运行和运行时";
    BudgetStatic: "what the weights leave of {0} of the whole device", "整卡的 {0} 减去权重";
    BudgetRest: "{0} of what is free after loading", "加载后空闲显存的 {0}";
    BudgetGiven: "the bytes it was given", "指定的字节数";
    TakeEngine: "An engine's name takes it. A fraction of memory is of something else in each, so it stands at the engine's own default where another was given.",
        "点击引擎名称即可采用。各引擎的显存占比含义不同，换引擎时按其自身默认值计算。";
    GivenUp: "{0} stands at its own default for: {1}.", "{0} 下以下各项按其默认值：{1}。";
    DoesNotFit: "does not fit", "放不下";

    // The cache against context.
    GrowthTitle: "The cache against context, by kind of layer", "缓存随上下文的增长（按层的类别）";
    GrowthWords: "Cache on one GPU against tokens a request holds: {0}.", "单块 GPU 的缓存随每个请求的词元数变化：{0}。";
    GrowthPoint: "{1} at {0} tokens", "{0} 个词元时 {1}";
    GrowthAxis: "cache on one GPU, {0}", "单块 GPU 的缓存，{0}";
    GrowthContext: "tokens a request holds", "每个请求的词元数";
    GrowthPool: "room for cache: {0}", "缓存空间：{0}";
    GrowthCaption: "Cache on one GPU for {0}, in {1}", "单块 GPU 上 {0}的缓存，单位 {1}";
    GrowthLayers: "{0}, {1} layers", "{0}，{1} 层";
    OneRequest: "1 request", "1 个请求";
    SomeRequests: "{0} requests", "{0} 个请求";
    TokensOf: "tokens", "词元数";
    AllKinds: "all layers", "所有层";
    FullKind: "full attention", "全注意力";
    WindowedKind: "sliding window", "滑动窗口";
    LatentKind: "latent rows", "潜在向量";
    LinearKind: "linear state", "线性状态";
    OnlyFull: "Every layer keeps every token: twice the context is twice the cache.", "每一层都保留每个词元：上下文翻倍，缓存翻倍。";
    OnlyLatent: "Every layer keeps a narrow row for every token: twice the context is twice the cache, but a row is short.",
        "每一层为每个词元保留一个窄向量：上下文翻倍缓存也翻倍，但每个向量很短。";
    MixedKinds: "Windowed layers stop growing at their window and linear ones never grow; what is left grows with every token.",
        "窗口层到窗口大小即不再增长，线性层从不增长；其余的层随每个词元增长。";

    // Logs.
    LogTitle: "What the engine logs, and what yours logged", "引擎的日志：预测与实际";
    LogPredicted: "{0} would print, for exactly this question:", "按当前设置，{0} 会打印：";
    LogOfOther: "{0} prints no such lines. Under {1} it would be:", "{0} 不打印这类信息。若使用 {1} 则为：";
    WouldStop: "It would stop there with an error: not one request of {0} tokens finds room.", "它会在此报错退出：连一个 {0} 词元的请求也放不下。";
    PasteLog: "Paste the start-up log of vLLM, SGLang, TensorRT-LLM or llama.cpp (it stays in this browser)",
        "粘贴 vLLM、SGLang、TensorRT-LLM 或 llama.cpp 的启动日志（只留在本浏览器中）";
    UnknownLog: "No line of this text is one the ledger knows. It looks for these, anywhere in a line:",
        "这段文字中没有可识别的行。会识别的内容如下（可在一行中任意位置）：";
    ImpossibleLog: "This is a log of {0}, with which the question as it stands is impossible: {1}", "这是 {0} 的日志，但当前设置在其下不成立：{1}";
    LogCaption: "Predicted against logged: {0}, one GPU", "预测与日志：{0}，单块 GPU";
    FigureColumn: "figure", "项目";
    PredictedColumn: "predicted", "预测";
    LoggedColumn: "logged", "日志";
    DifferenceColumn: "difference", "差异";
    TookEngine: "The log is of {0}, so this is predicted for {0}.", "日志来自 {0}，因此按 {0} 预测。";
    TookContext: "Its requests hold {0} tokens (asked: {1}), so that is predicted.", "日志中每个请求为 {0} 个词元（设置为 {1}），因此按此预测。";
    TookSlots: "It has {0} slots (asked: {1} at once), so that is predicted.", "日志中有 {0} 个槽（设置为同时 {1} 个请求），因此按此预测。";
    TookDevices: "It names {0} devices with weights (here: {1} for one copy of the model), so a split over those is predicted.", "日志中有 {0} 个设备存放权重（此处一份模型用 {1} 个），因此按前者切分预测。";
    TookFraction: "Its memory fraction is {0} (here: {1}), so that is taken.", "日志的显存占比为 {0}（此处为 {1}），因此采用前者。";
    TakeThese: "Take these into the question", "把这些写入当前设置";
    FigureDevice: "memory of the GPU", "GPU 显存";
    FigureFraction: "memory fraction", "显存占比";
    FigureWeights: "weights", "权重";
    FigureHostWeights: "weights in host memory", "主机内存中的权重";
    FigureWorkspace: "workspace", "工作区";
    FigureOutside: "outside the allocator", "分配器之外";
    FigureGraphs: "captured graphs", "捕获的计算图";
    FigurePool: "key-value cache", "键值缓存";
    FigureStates: "recurrent states", "循环状态";
    FigureTokens: "tokens of cache", "缓存词元数";
    FigureBlocks: "blocks of cache", "缓存块数";
    FigureCells: "cells of cache", "缓存单元数";
    FigureContext: "tokens a request holds", "每个请求的词元数";
    FigureSlots: "slots", "槽数";
    FigureRequests: "requests at once", "同时请求数";
    WhySame: "the same, to the last digit printed", "一致，精确到打印的最后一位";
    WhyClose: "within two percent", "相差不到 2%";
    WhyNotPredicted: "the ledger does not predict this", "账本不预测此项";
    WhyWeightFormat: "as large as in {0}: another format is served", "与 {0} 的大小相符：实际格式不同";
    WhyRanks: "as large as over {0} tensor ranks: another split", "与 {0} 路张量并行的大小相符：切分不同";
    WhyMoreLoaded: "more is loaded than the language model: a vision tower, layers that predict further tokens, a drafting model",
        "加载的不止语言模型：可能有视觉塔、多词元预测层或草稿模型";
    WhyLessLoaded: "less is loaded: a format the ledger has not, layers or experts elsewhere", "加载得更少：格式不在账本内，或部分层、专家在别处";
    WhyCacheFormat: "a token takes what it takes in {0}: another format of the cache", "每词元大小与 {0} 相符：缓存格式不同";
    WhyCells: "{0} times the cells: another context, other slots, or windows kept whole", "单元数为 {0} 倍：上下文或槽数不同，或窗口层按全长缓存";
    WhyFollows: "follows from “{0}”", "由“{0}”决定";
    WhyPart: "{1} by “{0}”", "“{0}”造成 {1}";
    WhyRest: "{0} by what this log does not state: workspace and what lies outside the allocator", "其余 {0} 来自日志未列出的部分：工作区与分配器之外的显存";
    WhySequences: "as large as with {0} sequences in a batch at most", "与批次最多 {0} 个序列时相符";
    WhyWideRange: "the prediction is the middle of a wide range", "预测值取自较宽范围的中间";
    WhyOtherDevice: "another card, or a driver that keeps another part of it", "显卡不同，或驱动占用不同";

    // How sure a figure is.
    BasisColumn: "basis", "依据";
    BasisExact: "exact", "精确";
    BasisEngineRule: "engine rule", "引擎规则";
    BasisFitted: "fitted", "拟合";
    BasisAssumed: "assumed", "假定";
    MeansExact: "counted from dimensions and formats", "由维度和格式直接算出";
    MeansEngineRule: "what the engine or framework does, by its code or documentation", "引擎或框架的做法，依据其代码或文档";
    MeansFitted: "a constant drawn from published measurements", "常数取自公开实测";
    MeansAssumed: "no published figure or rule was found", "尚无公开数据或规则可依";
    BasisIs: "{0}: {1}", "{0}：{1}";

    // Sources.
    SourcesTitle: "Where the figures of this model and this GPU come from", "该模型与该 GPU 数据的来源";
    SourcesOnTheirWay: "On their way …", "正在获取……";
    SourcesFailed: "The sources could not be fetched. Close and open this part to try again.", "来源未能获取。收起再展开可重试。";
    SourceOf: "{0}: {1}", "{0}：{1}";
    ModelAssumed: "No published model is chosen: the shape is assumed from the parameter count.", "未选择已发布的模型：结构由参数量假定。";
    ModelPasted: "The dimensions are those of the pasted config.json.", "维度来自粘贴的 config.json。";
    GpuOwn: "The figures of this GPU were given with the question.", "该 GPU 的数据由当前设置给出。";
    CountDerived: "Counted from its dimensions: {0} parameters.", "由维度算出：{0} 个参数。";
    CountPublished: "Published: {0}, the same to the last parameter.", "公布值：{0}，逐个参数一致。";
    CountDiffers: "Published: {0}, a difference of {1}: {2}", "公布值：{0}，相差 {1}：{2}";
    CountRound: "Only a round figure was published. {0}", "只公布了约数。{0}";
    Unverified: "No published source was read for: {0}.", "以下数据未见公开来源：{0}。";

    // Choosing the model.
    ModelSearch: "Type to search models by name or id", "输入名称或 ID 搜索模型";
    ModelsFound: "{0} models", "{0} 个模型";
    NoModel: "No model is called that. Any size can be set with the slider, or paste a config.json.", "没有这样的模型。可用滑块设定任意规模，或粘贴 config.json。";
    OtherChoices: "Not in the list", "列表之外";
}

impl Language {
    /// What a line of a log states.
    pub fn log_figure(self, figure: LogFigure) -> &'static str {
        self.say(match figure {
            LogFigure::Device => ServingText::FigureDevice,
            LogFigure::Fraction => ServingText::FigureFraction,
            LogFigure::Weights => ServingText::FigureWeights,
            LogFigure::HostWeights => ServingText::FigureHostWeights,
            LogFigure::Workspace => ServingText::FigureWorkspace,
            LogFigure::Outside => ServingText::FigureOutside,
            LogFigure::Graphs => ServingText::FigureGraphs,
            LogFigure::Pool => ServingText::FigurePool,
            LogFigure::States => ServingText::FigureStates,
            LogFigure::Tokens => ServingText::FigureTokens,
            LogFigure::Blocks => ServingText::FigureBlocks,
            LogFigure::Cells => ServingText::FigureCells,
            LogFigure::Context => ServingText::FigureContext,
            LogFigure::Slots => ServingText::FigureSlots,
            LogFigure::Requests => ServingText::FigureRequests,
        })
    }

    /// A kind of layer by what it keeps.
    pub fn layer_kind(self, kind: LayerKind) -> &'static str {
        self.say(match kind {
            LayerKind::Full => ServingText::FullKind,
            LayerKind::Windowed => ServingText::WindowedKind,
            LayerKind::Latent => ServingText::LatentKind,
            LayerKind::Linear => ServingText::LinearKind,
        })
    }

    /// How sure a figure is, in a word.
    pub fn basis(self, basis: Basis) -> &'static str {
        self.say(match basis {
            Basis::Exact => ServingText::BasisExact,
            Basis::EngineRule => ServingText::BasisEngineRule,
            Basis::Fitted => ServingText::BasisFitted,
            Basis::Assumed => ServingText::BasisAssumed,
        })
    }

    /// The same with what it means.
    pub fn basis_in_words(self, basis: Basis) -> String {
        let meaning = match basis {
            Basis::Exact => ServingText::MeansExact,
            Basis::EngineRule => ServingText::MeansEngineRule,
            Basis::Fitted => ServingText::MeansFitted,
            Basis::Assumed => ServingText::MeansAssumed,
        };
        self.fill(ServingText::BasisIs, &[self.basis(basis), self.say(meaning)])
    }
}
