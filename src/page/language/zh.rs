//! Chinese, in simplified characters.

use vram_ledger::ledger::{Account, Rule, Symbol};
use vram_ledger::refusal::{Contradiction, DivisionRule, FieldError, Problem};

use super::{Message, ViewText};

pub fn say(message: Message) -> &'static str {
    match message {
        Message::ProductName => "显存账本",
        Message::Tagline => "推理要多少显存，训练又要多少",
        Message::LanguageChoice => "语言",
        Message::UnitChoice => "显存单位",
        Message::ThemeChoice => "配色",
        Message::Light => "浅色",
        Message::Dark => "深色",
        Message::LinkRefused => "无法按此链接打开，仍显示原来的内容。",

        Message::Controls => "模型与机器",
        Message::Model => "模型",
        Message::Parameters => "参数量",
        Message::Precision => "精度",
        Message::Gpu => "GPU",
        Message::ShardsGpus => "分片数（GPU 数）",
        Message::Sequence => "序列长度（词元）",
        Message::Framework => "训练框架",
        Message::Recipe => "精度方案",
        Message::Sharding => "GPU 间分片",
        Message::ServedWeights => "权重格式",
        Message::TrainingSettings => "训练设置",
        Message::LayoutSettings => "并行设置",
        Message::ServingSettings => "推理设置",
        Message::ClusterSettings => "集群设置",
        Message::Default => "默认",
        Message::DefaultIs => "{0}（默认）",
        Message::OwnFigures => "自定义",
        Message::ThisGpu => "该 GPU",
        Message::OneGpu => "1 块 GPU",
        Message::GpusCount => "{0} 块 GPU",
        Message::TokensCount => "{0} 个词元",
        Message::AssumedShape => "假定结构：{0}",
        Message::DecoderOf => "{0} 解码器",
        Message::DecoderOfAnySize => "任意规模的解码器，结构为假定",
        Message::PastedConfig => "粘贴 config.json……",
        Message::PastedConfigOf => "粘贴的 config.json（{0}）",
        Message::Shape => "{0} 层 × {1}，{2} 个注意力头，{3} 个键值头",
        Message::ConfigJson => "config.json",
        Message::PasteHere => "Hugging Face config.json 的内容（只留在本浏览器中）",
        Message::UseThisModel => "使用该模型",
        Message::Cancel => "取消",
        Message::Dismiss => "知道了",
        Message::BothLedgers => "单块 GPU 的显存账",
        Message::Inference => "推理",
        Message::Training => "训练",
        Message::BarOf => "{0}：各科目显存",
        Message::GpuShows => "一块 {0} 可用 {1}",
        Message::PerGpu => "每块 GPU",
        Message::Fits => "一块 {0} 放得下，余 {1}",
        Message::RoomForCache => "缓存可容 {0} 个词元",
        Message::TooMuch => "超出一块 {1} {0}",
        Message::GapLine => {
            "激活尚未计入，每块 GPU 上训练已占 {0}，推理的权重只占 {1}。不分片时，每个参数 {2} 字节对 {3} 字节：×{4}。"
        }
        Message::IntegersHoldNoUpdates => {
            "训练仍按 BF16 混合精度计：整数格式存不下微小的更新。（QLoRA 的做法是冻结 4 位权重，只训练旁挂的小适配器。）"
        }
        Message::ThreeSizes => {
            "张量实占 {0}（active），分配器保留 {1}（reserved），设备显示占用 {2}（used）；该框架实测范围：{3} 至 {4}。"
        }

        Message::Views => "视图",
        Message::TabLedger => "账本",
        Message::TabServing => "推理部署",
        Message::TabTimeline => "时间线",
        Message::TabStages => "流水线阶段",
        Message::TabCommunication => "通信",
        Message::TabScaling => "扩展",
        Message::TabPrecisionLab => "精度实验",
        Message::TabPlan => "规划",
        Message::TabCompare => "对比",
        Message::TabShare => "分享",
        Message::ViewOnItsWay => "加载中……",
        Message::ViewFailed => "未能加载该视图，请联网后再次选择。",
    }
}

pub fn say_view(text: ViewText) -> &'static str {
    match text {
        ViewText::Attention => "注意力",
        ViewText::CacheFormat => "键值缓存格式",
        ViewText::Concurrency => "并发请求数",
        ViewText::Context => "单个请求的上下文（词元）",
        ViewText::Dropout => "Dropout",
        ViewText::GlobalBatch => "全局批大小（序列数）",
        ViewText::GpusPerNode => "每节点 GPU 数",
        ViewText::Kernels => "算子",
        ViewText::Loss => "损失",
        ViewText::LossChunks => "损失分块数",
        ViewText::MicroBatch => "微批大小（序列数）",
        ViewText::Network => "节点间网络",
        ViewText::Optimizer => "优化器",
        ViewText::PrefillChunk => "预填充分块（词元）",
        ViewText::Recompute => "重计算",
        ViewText::SequenceParallel => "序列并行",
        ViewText::ServingTensor => "张量并行",
        ViewText::TensorParallel => "张量并行",
        ViewText::TrainingSequence => "训练序列长度（词元）",
        ViewText::PipelineStages => "流水线级数",
        ViewText::Schedule => "流水线调度",
        ViewText::VirtualStages => "每级的层块数",
        ViewText::ContextParallel => "上下文并行",
        ViewText::ContextMethod => "上下文切分方式",
        ViewText::ExpertParallel => "专家并行",
        ViewText::ShardGroup => "分片组大小（HSDP）",
        ViewText::RecomputedLayers => "每级重算的层数",
        ViewText::Offload => "卸载到主机内存",
        ViewText::ActivationOffload => "卸载激活",
        ViewText::OptimizerInBackward => "反向时即时更新",
        ViewText::Adapter => "适配器",
        ViewText::AdapterRank => "适配器的秩",
        ViewText::Packing => "非填充词元的比例",
        ViewText::VocabMultiple => "词表补齐到此数的倍数",
        ViewText::ExpertTensor => "专家内张量并行数",
        ViewText::ExpertCapacity => "专家容量（相对平均值）",
        ViewText::ExpertImbalance => "最忙 rank 的词元数（相对平均值）",
        ViewText::ExpertDispatch => "词元发往专家的格式",
        ViewText::OptimizerStepBy => "优化器更新方式",
        ViewText::ComputeIn => "矩阵乘的格式",
        ViewText::GradientsTravelIn => "梯度传输的格式",
        ViewText::PagedOptimizer => "优化器状态可分页到主机",
        ViewText::FusedAccumulation => "在矩阵乘内累加梯度",
        ViewText::Reshard => "前向之后释放聚合的权重",

        ViewText::NotANumber => "“{0}”不是数字；可写作：{1}",
        ViewText::NotJson => "这不是 JSON：{0}",
        ViewText::ExampleParameters => "7b、70 B、70亿、1e9、1,000,000",
        ViewText::ExampleTokens => "8k（即 8,192）、131072、1,000,000",
        ViewText::ExampleCount => "整数，例如 8",
        ViewText::ExampleShare => "0 到 1 之间的比例，例如 0.1",
        ViewText::ExampleFactor => "倍数，例如 1.25",
        ViewText::ExampleBytes => "字节数，如 8 GiB、8GB 或 8,589,934,592",

        ViewText::WouldFit => "改用 {0} 即可放下",
        ViewText::Apply => "采用",
        ViewText::ApplyThis => "采用：{0}",
        ViewText::OtherWays => "其他放得下的办法",
        ViewText::PeakAfter => "每块 GPU 峰值 {0}",
        ViewText::ChangeMicroBatch => "微批大小 {0}",
        ViewText::ChangeGlobalBatch => "全局批量 {0}",
        ViewText::ChangeRecompute => "激活{0}",
        ViewText::ChangeWeights => "{0} 权重",
        ViewText::ChangeTensor => "张量并行 {0}",
        ViewText::ChangeContext => "上下文并行 {0}",
        ViewText::ChangeExpert => "专家并行 {0}",
        ViewText::ChangeVirtualStages => "每阶段 {0} 块",
        ViewText::OneStep => "每步耗时",
        ViewText::OnGpusWaits => "（{0}），其中等待网络",
        ViewText::Compute => "计算",
        ViewText::Waiting => "等待网络",
        ViewText::Bubble => "流水线气泡",
        ViewText::OptimizerStep => "优化器更新",
        ViewText::LedgerCaption => "单块 GPU 的显存，单位 {0}",
        ViewText::AccountColumn => "科目",
        ViewText::BytesAParameter => "字节/参数",
        ViewText::ShareOfTraining => "占比",
        ViewText::Total => "合计",
        ViewText::EveryEntry => "逐条明细（精确到字节）",
        ViewText::RuleColumn => "规则",
        ViewText::BytesColumn => "字节",
        ViewText::Explanation => "这个数字怎么来的",
        ViewText::ExplanationTitle => "{2} · {0}：{1}",
        ViewText::AccountIsEmpty => "此处没有这一科目的开销。",
        ViewText::RuleAndSource => "规则 {0} · {1}",

        ViewText::NothingTrained => "按当前设置无法训练，原因见上方账本。",
        ViewText::CapacityLine => "一块 {0} 可用 {1}",
        ViewText::CapacityBeyond => "刻度到 {0} 为止；一块 {1} 可用 {2}，远在其外。",
        ViewText::ListComma => "、",
        ViewText::PhaseLoss => "计算损失",
        ViewText::PhaseForward => "前向完成",
        ViewText::PhaseBackward => "反向开始",
        ViewText::PhaseBackwardEnd => "反向结束",
        ViewText::PhaseOptimizer => "优化器更新",
        ViewText::PhaseColumn => "时刻",

        ViewText::TimelineFinding => "一步之中，“{0}”时占用最多：单块 GPU 上张量共占 {1}。",
        ViewText::TimelineAgainst => "其次是“{0}”，少 {1}，差在：{2}。",
        ViewText::ComesAndGoes => "其中 {0} 跨步常驻，{1} 在每一步内产生又释放。",
        ViewText::TimelineOfStage => "这是流水线中占用最多的阶段 {0}。",
        ViewText::TimelineTensors => {
            "此处只计张量。再加上分配器保留的余量和分配器之外的部分，峰值时设备显示占用 {0}：放不放得下要看这个数。"
        }
        ViewText::TimelineDrawing => "一步之中各时刻的显存，按先后排列。",
        ViewText::LargestPhase => "最大",
        ViewText::SteadyLine => "两步之间常驻：{0}",
        ViewText::PeakInLoss => "前向为反向保存的内容都还在，又加上 logits：每个词元对词表的每一项各有一个数。",
        ViewText::PeakInForward => "在途的每个微批都已走过本阶段各层，反向所需的内容全部保存着。",
        ViewText::PeakInBackward => {
            "前向为反向保存的内容都还在，反向又要加上当前这一层所需：它的梯度，以及重算出来的内容。"
        }
        ViewText::PeakInBackwardEnd => "前向保存的内容只剩一层，但全部梯度已经算出，与常驻部分同时存在。",
        ViewText::PeakInOptimizer => "前向和反向的内容都已释放；优化器自身所占已超过前反向的任何时刻。",
        ViewText::TimelineCaption => "一个优化器步中的各时刻，单块 GPU，单位 {0}",
        ViewText::TimelineTable => "一个优化器步中的各时刻",
        ViewText::HappensColumn => "在做什么",
        ViewText::HeldColumn => "占用",
        ViewText::OverSteadyColumn => "比两步之间",
        ViewText::InLoss => "前向已走完所有层，保存了反向所需的内容；正在计算输出层和损失。",
        ViewText::InForward => "在途的微批都已完成本阶段的前向，反向所需的内容全部保存着。",
        ViewText::InBackward => "反向从最后一层开始：保存的内容一点未减，梯度开始产生。",
        ViewText::InBackwardEnd => "反向到达第一层：保存的内容已经用完，全部梯度都在。",
        ViewText::InOptimizer => "优化器用梯度和动量算出新的权重；前向和反向的内容已全部释放。",
        ViewText::BetweenSteps => "两步之间",
        ViewText::InBetween => "从一步留到下一步的部分。",
        ViewText::PhasesByAccount => "各时刻占用明细",
        ViewText::PaddingCosts => {
            "{0} 的词元是填充：去掉填充，峰值可降低 {1}，每步可缩短 {2}，每块 GPU 每步少发送 {3}。"
        }
        ViewText::PhaseHolds => "{0}：“{2}”时 {1}",
        ViewText::StageHolds => "{0}：阶段 {2} 上 {1}",
        ViewText::ChooseSegment => "点选柱中的一段，可查看这些字节从何而来。",

        ViewText::StagesFinding => "阶段 {0} 占用最多：“{2}”时每块 GPU 占 {1}。原因：{3}。",
        ViewText::StagesAlike => "各阶段占用相同：每块 GPU 都是 {0}。",
        ViewText::StagesDifference => "它的{0}为 {1}，其他阶段平均 {2}。",
        ViewText::StagesBesides => "此外，{0}（{1}：{2}，其他阶段平均 {3}）。",
        ViewText::StagesSpread => "阶段 {0} 占用最少，为 {1}：GPU 要按最大的阶段来选，这里其实可以少 {2}。",
        ViewText::LargestStage => "↑ 峰值所在：{0}",
        ViewText::ReasonMicroBatches => "在途微批最多，{0} 个 × {1} 层",
        ViewText::ReasonLayersInFlight => "在途层数最多，共 {0} 层（每层按在途微批数计）",
        ViewText::ReasonLayers => "层数最多，共 {0} 层",
        ViewText::ReasonHeavierLayers => "每层为反向保存的激活最多",
        ViewText::ReasonHeadAndLoss => "输出层和损失在此",
        ViewText::ReasonEmbedding => "嵌入层在此",
        ViewText::ReasonHead => "输出层在此",
        ViewText::ReasonBothEnds => "嵌入层和输出层都在此",
        ViewText::ReasonMoreParameters => "各层参数最多，模型状态 {0}",
        ViewText::ReasonAccount => "{0}最多",
        ViewText::StateGroup => "模型状态",
        ViewText::EndsGroup => "首尾激活与损失",
        ViewText::Holds1F1B => {
            "1F1B 调度下，每个阶段尽早开始反向：第一个阶段的在途微批数等于阶段数（微批不足时为微批数），最后一个阶段只有一个。"
        }
        ViewText::HoldsGPipe => "GPipe 先做完全部前向：反向开始之前，每个阶段都保存着本步的所有微批。",
        ViewText::HoldsInterleaved => {
            "交错调度下，每个阶段有若干块不相邻的层；气泡更短，但靠前的阶段要比 1F1B 保存得更多。"
        }
        ViewText::HoldsZb1p => "这种调度推迟权重梯度来填补气泡：每个阶段保存的微批都与 1F1B 的第一个阶段一样多。",
        ViewText::HoldsZb2p => "这种调度推迟权重梯度来填补气泡：每个阶段保存的微批都是 1F1B 第一个阶段的两倍。",
        ViewText::HoldsDualPipe => "DualPipe 从两端同时送入微批，每块 GPU 上有模型的两个阶段，并保存两个方向的微批。",
        ViewText::OneStage => "只有一个阶段：每块 GPU 都要算全部 {0} 层，从嵌入层一直到损失。",
        ViewText::OneStageMeans => {
            "流水线并行按层切分模型：每个阶段只负责其中若干层，用各自的 GPU，微批在阶段之间依次传递。链接中的写法是 training.pipeline。"
        }
        ViewText::TryStages => "试一试",
        ViewText::ExampleStages => "{0} 个阶段，{1}，每步 {2} 个微批",
        ViewText::StageName => "阶段 {0}",
        ViewText::LayersOf => "{0} 层 × 在途 {1}",
        ViewText::EmbeddingEnd => "嵌入层",
        ViewText::HeadEnd => "输出层与损失",
        ViewText::StagesCaption => "各阶段单块 GPU 的峰值，单位 {0}",
        ViewText::StagesTable => "流水线各阶段",
        ViewText::StageColumn => "阶段",
        ViewText::ParametersColumn => "参数量",
        ViewText::StateColumn => "模型状态",
        ViewText::ActivationsColumn => "激活",
        ViewText::EndsColumn => "首尾激活、损失",
        ViewText::BuffersColumn => "缓冲区",
        ViewText::PeakColumn => "峰值",
        ViewText::OutsideColumn => "余量、运行时",
        ViewText::DeviceColumn => "设备占用",
        ViewText::StagesNote => {
            "阶段与 rank 一样从 0 数起。“在途”指前向已过、反向未到，因此激活还保存着。参数量是整个阶段的，字节数是单块 GPU 的。缓冲区包括聚合权重、反向临时张量、通信缓冲区和工作区。"
        }

        ViewText::SentInAStep => "训练：单块 GPU 每个优化器步发送的数据",
        ViewText::SentInAPass => "推理：单块 GPU 每次前向发送的数据",
        ViewText::NothingSent => "{0}：无。",
        ViewText::ExposedMeans => "“未掩盖”指没有计算与之重叠的部分：这段时间里 GPU 只能等待。",
        ViewText::WhatMoves => "传输内容",
        ViewText::CollectiveColumn => "集合通信",
        ViewText::GroupColumn => "通信组",
        ViewText::GroupOf => "{0}（{1} 个 rank）",
        ViewText::LinkColumn => "最慢链路",
        ViewText::CallsColumn => "次数",
        ViewText::SentColumn => "发送量",
        ViewText::TimeColumn => "耗时",
        ViewText::ExposedColumn => "未掩盖",
        ViewText::LargestExposed => "等待最久",

        ViewText::ScalingCaption => "同样的训练换成其他 GPU 数",
        ViewText::GpusColumn => "GPU 数",
        ViewText::StatePerGpu => "每块 GPU 的模型状态",
        ViewText::PeakPerGpu => "每块 GPU 的峰值",
        ViewText::StepTime => "每步耗时",
        ViewText::WaitingShare => "等待占比",

        ViewText::WhyMasterWeights => {
            "BF16 只有 8 位有效位：1.0 附近相邻两数相差 0.0078，加上 0.001 会被舍入回 1.0。所以训练要另存一份 FP32 主权重。"
        }

        ViewText::ComparisonCaption => "同一模型的推理与训练，按当前设置",
        ViewText::ComparedColumn => "单块 GPU",
        ViewText::RowWeights => "权重",
        ViewText::RowGradients => "梯度",
        ViewText::RowMaster => "FP32 主权重",
        ViewText::RowMomentum => "一阶动量",
        ViewText::RowVariance => "二阶动量",
        ViewText::RowActivations => "为反向保存的激活",
        ViewText::RowCache => "键值缓存",
        ViewText::RowSequenceDoubled => "序列长度翻倍",
        ViewText::RowBatchDoubled => "批量翻倍（并发请求数；微批序列数）",
        ViewText::RowNetwork => "网络传输",
        ViewText::RowTime => "时间",
        ViewText::Nothing => "无",
        ViewText::AToken => "每生成一个词元 {0}",
        ViewText::AStep => "每个优化器步 {0}",
        ViewText::ATokenTakes => "每个词元 {0}，之前处理提示词 {1}",
        ViewText::AStepTakes => "每步 {0}，其中等待：{1}",

        ViewText::ShareLink => "当前状态的链接",
        ViewText::ShareEmbed => "把柱状图和滑块嵌入其他网页",
        ViewText::ShareScenario => "问题（JSON）",
        ViewText::ShareReport => "结果（JSON）",
        ViewText::Copy => "复制",
        ViewText::Copied => "已复制",
    }
}

pub fn account(account: Account) -> &'static str {
    match account {
        Account::Weights => "权重",
        Account::Gradients => "梯度",
        Account::MasterWeights => "FP32 主权重",
        Account::Momentum => "一阶动量",
        Account::Variance => "二阶动量",
        Account::Adapters => "适配器",
        Account::GatheredWeights => "聚合权重",
        Account::Activations => "激活",
        Account::EdgeActivations => "首尾激活",
        Account::Loss => "损失",
        Account::BackwardTemporaries => "反向临时张量",
        Account::CommunicationBuffers => "通信缓冲区",
        Account::KvCache => "键值缓存",
        Account::Workspace => "工作区",
        Account::Runtime => "运行时",
        Account::Slack => "分配器余量",
    }
}

/// A refused field in words.
pub fn field_error(error: &FieldError) -> String {
    let message = match &error.problem {
        Problem::Range { given, least, most, whole } => {
            let kind = if *whole { "整数" } else { "数" };
            format!("给定 {given}；允许 {least} 到 {most} 之间的{kind}")
        }
        Problem::Unknown { given, allowed } => format!("给定“{given}”；可选：{allowed}"),
        Problem::Engine { given, engines } => format!("给定 {given}；仅适用于推理引擎 {engines}"),
        Problem::NotYet { given } => format!("给定 {given}；暂不支持"),
        Problem::Divides { given, rule, other, nearest } if nearest.is_empty() => {
            format!("给定 {given}；须为{}", division(*rule, *other))
        }
        Problem::Divides { given, rule, other, nearest } => {
            let nearest: Vec<String> = nearest.iter().map(u64::to_string).collect();
            format!("给定 {given}；须为{}；最接近的可用值：{}", division(*rule, *other), nearest.join("、"))
        }
        Problem::Needed { rule, other } => format!("缺少此项；须为{}", division(*rule, *other)),
        Problem::Missing { least, most } => format!("缺少此项；允许 {least} 到 {most} 之间的数"),
        Problem::Contradiction { given, with } => format!("给定 {given}；{}", contradiction(*with)),
        Problem::Kind { given, allowed } => format!("给定 {}；须为{}", kind(given), kind(allowed)),
        Problem::UnknownField { given, allowed } => format!("没有“{given}”这一项；可选：{allowed}"),
        Problem::Malformed(text) => text.clone(),
    };
    if error.field.is_empty() { message } else { format!("{}：{message}", error.field) }
}

fn division(rule: DivisionRule, other: u64) -> String {
    match rule {
        DivisionRule::GpusByModelParallel => format!("张量 × 流水线 × 上下文并行数（{other}）的倍数，其余为数据并行"),
        DivisionRule::HeadsByTensor => format!("注意力头数 {other} 的约数"),
        DivisionRule::KeyValueHeadsByTensor => format!("键值头数 {other} 的约数或倍数"),
        DivisionRule::MlpWidthByTensor => format!("MLP 宽度 {other} 的约数"),
        DivisionRule::SequenceByTensor => format!("张量并行数 {other} 的倍数（序列并行把序列分到各 rank）"),
        DivisionRule::ShardGroup => format!("数据并行与上下文并行 rank 总数 {other} 的约数"),
        DivisionRule::LayersByStages => format!("模型层数 {other} 的约数；也可用 layers_per_stage 指定各阶段的层数"),
        DivisionRule::LayersByChunks => {
            format!("能使阶段数 × 块数整除模型层数 {other} 的数；也可用 layers_per_stage 指定各阶段的层数")
        }
        DivisionRule::LayersInAll => format!("各阶段层数之和等于模型的 {other} 层"),
        DivisionRule::EntriesByStages => format!("每个流水线阶段一项，共 {other} 项"),
        DivisionRule::EvenStages => "偶数：DualPipe 从两端同时送入微批".to_owned(),
        DivisionRule::MicroBatchesByStages => {
            format!("数据并行数 × 微批大小 × 阶段数（{other}）的倍数：交错调度按阶段数成组送入微批")
        }
        DivisionRule::MicroBatchesBothWays => {
            format!("数据并行数 × 微批大小的偶数倍，且不小于 {other}：DualPipe 两端各送一半，每阶段至少各一个微批")
        }
        DivisionRule::SequenceByContext => format!("{other} 的倍数：上下文并行数（序列并行时再乘张量并行数）"),
        DivisionRule::HeadsByContext => format!("与张量并行数之积能整除注意力头数 {other} 的数：Ulysses 按头切分"),
        DivisionRule::GlobalBatchByMicroBatch => format!("数据并行数 × 微批大小（{other}）的倍数"),
        DivisionRule::ExpertsByExpert if other == 0 => "1（该模型没有专家）".to_owned(),
        DivisionRule::ExpertsByExpert => format!("专家数 {other} 的约数"),
        DivisionRule::RanksByExpert => {
            format!("张量 × 上下文 × 数据并行数 ÷ 专家内张量并行数（{other}）与专家数的公约数")
        }
        DivisionRule::ServingRanksByExpert => {
            format!("专家数的约数，且整除 GPU 数 ÷ 流水线并行数（{other}），并与张量并行数互为倍数或约数")
        }
        DivisionRule::ExpertWidthByExpertTensor => format!("专家宽度 {other} 的约数"),
        DivisionRule::GpusByExpertTensor => format!("张量 × 上下文 × 数据并行数（{other}）与专家宽度的公约数"),
    }
}

fn contradiction(with: Contradiction) -> String {
    let text = match with {
        Contradiction::EmptyList => "须每个流水线阶段一项；各阶段相同则不填此项",
        Contradiction::EvenByCapacity => "设了 expert_capacity 后各 rank 的词元数相同，只能为 1",
        Contradiction::NothingRecomputed => "recompute 为 none 时只能为 0",
        Contradiction::NotGathered => "只有 sharding 为 zero3 时可用；否则可选：none, optimizer",
        Contradiction::ZeroPlusWithout => "只有 sharding 为 zero3 时可用",
        Contradiction::BaseNotQuantised => "kind 为 lora 时基座权重不量化，不要填此项",
        Contradiction::OwnSlots => "llama.cpp 的各个 slot 只有在 kv_unified 下才共享前缀，否则只能为 0",
        Contradiction::NoLatents => "该模型没有潜在注意力可展开；可选：latent",
        Contradiction::NoRate => "至少给出 bf16、fp16、fp32 之一，单位 FLOP/s",
        Contradiction::FusedAlone(optimizer) => {
            return format!("优化器为 {} 时可选：fused", optimizer);
        }
        Contradiction::AddsUp(micro_batches) => {
            return format!("{micro_batches} 个微批的梯度要累加，只能为 false");
        }
        Contradiction::Chunks(schedule, chunks) => {
            return format!("schedule 为 {} 时只能为 {chunks}；interleaved 可以有更多块", schedule);
        }
        Contradiction::BlocksOfHead(block, width) => {
            return format!("它每 {block} 个数一块，填不满宽度为 {width} 的头；请选块能整除头宽的格式");
        }
    };
    text.to_owned()
}

pub fn meaning(rule: Rule) -> &'static str {
    match rule {
        Rule::StateWeights => "前向和反向计算所用的权重。ZeRO-3 将其按分片数均分。",
        Rule::StateGradients => "每个参数一个梯度，保留到优化器更新为止。ZeRO-2 及以上将其按分片数均分。",
        Rule::StateMasterWeights => {
            "权重的 FP32 副本。比权重小得多的更新在 16 位格式里会被舍入掉，因此加到这份副本上。"
        }
        Rule::StateMomentum => "梯度的滑动平均。每步只加入新梯度的十分之一，用 16 位存储往往会被舍入掉。",
        Rule::StateVariance => "梯度平方的滑动平均。每步只加入新平方的千分之一甚至更少。",
        Rule::StateExperts => {
            "该科目中专家的部分。每个 rank 完整持有若干专家；持有相同专家的 rank 自成一个较小的数据并行组。"
        }
        Rule::LargestGradient => "每个张量在梯度算出后立即更新，因此同一时刻只有一个梯度。",
        Rule::NewGradient => "最新算出、尚未累加的权重梯度；自行累加的内核不需要它。",
        Rule::AdapterWeights => "每个被适配矩阵旁的两个低秩矩阵。只有它们有梯度和动量。",
        Rule::FrozenQuantised => "注意力和 MLP 的冻结矩阵，以 NF4 及其缩放因子存储。",
        Rule::FrozenRest => "冻结的嵌入、输出层、归一化和偏置，不做量化。",
        Rule::Dequantised => "正在参与矩阵乘的那一个冻结矩阵，还原为 16 位。",
        Rule::MomentsBlockwise8bit => {
            "用 8 位存储的一份动量，每块配一个 FP32 缩放因子；不足 4,096 个元素的张量仍用 FP32。"
        }
        Rule::VarianceFactored => "矩阵的二阶动量只存一行与一列的 FP32 和；向量仍完整保存。",
        Rule::StepTemporaries => "更新权重之前新生成的张量：所有张量一起，或逐个张量。融合的更新没有这一项。",
        Rule::VarianceOutsideMuon => "Muon 的隐藏层矩阵不需要二阶动量；嵌入、输出层、归一化和偏置仍用 Adam，各自保留。",
        Rule::GatheredWeights => "计算某一层时要把分片权重拼回完整：正在算的一层、预取的一层，以及嵌入和输出层。",
        Rule::SecondaryPartition => "每个节点另存一份完整权重，由节点内各 rank 分担；反向时从这里聚合。",
        Rule::UnshardedGradients => "正在计算的各层的完整梯度，归约并分发到各分片后释放。",
        Rule::WaitingGradients => "整个流水线阶段的完整梯度，等到最后一个微批才归约并分发。",
        Rule::LiveParameters => "同时处于完整状态的分片权重（有上限），以及预取的权重。",
        Rule::Buckets => "梯度和权重收发所经过的连续缓冲区。",
        Rule::PipelineBuffers => "从前一个和后一个流水线阶段收到的数据。",
        Rule::ContextBuffers => {
            "从其他上下文并行 rank 收到的、同时存在的数据：环形为两块键和值，全收集为全部，全对全为一块。"
        }
        Rule::NormInputs => "各归一化层的输入，反向时要用。",
        Rule::NormUpcast => "未融合的归一化会另存 FP32 输入，以及归一化后的值。",
        Rule::NormOutputs => "注意力和 MLP 第一个矩阵乘的输入，计算权重梯度时要用。",
        Rule::HeadNormInputs => "逐头归一化之前的查询和键。",
        Rule::QueriesKeysValues => "查询、键和值，注意力的反向三者都要。",
        Rule::SoftmaxStatistics => "每个词元、每个头一个 FP32 数，FlashAttention 据此分块重算分数。",
        Rule::AttentionScores => "每个查询对每个键的 softmax，随序列长度平方增长。",
        Rule::ScoreDropout => "注意力分数 dropout 的掩码（1 字节）和结果（2 字节）。",
        Rule::AttentionOutput => "输出投影的输入。",
        Rule::ExchangedOutput => "注意力在按头分布时的输出，全对全换回之前的那一份。",
        Rule::MlpHidden => "MLP 激活函数的输入：门控 MLP 为 gate 和 up 两个张量，普通 MLP 为一个。",
        Rule::MlpProduct => "下投影的输入。",
        Rule::ExpertInputs => "按路由复制给各专家的词元。",
        Rule::Latents => "潜在注意力的窄向量：其归一化的输入，以及交给展开矩阵乘的输出。",
        Rule::RouterScores => "每个词元对每个专家的概率。",
        Rule::ExpertHidden => "专家内部激活函数的输入。",
        Rule::ExpertProduct => "专家下投影的输入。",
        Rule::ExpertOutputs => "专家的输出，计算路由概率的梯度时要用。",
        Rule::SharedInputs => "共享专家的输入。",
        Rule::FurtherKept => "特殊层保留的内容：线性注意力、状态空间、注意力输出上的门控、另一宽度的 MLP。",
        Rule::IndexerHidden => "索引器的查询、键和各头权重，以及其键归一化的输入。",
        Rule::AdapterHidden => "每个适配器中间的低秩向量。",
        Rule::AdapterDropout => "每个适配器之前 dropout 的掩码和结果，各存一份。",
        Rule::ProductOutputs => "按算子重计算时不重复的那些矩阵乘的结果。",
        Rule::HiddenDropout => "残差流上两处 dropout 的 1 字节掩码。",
        Rule::Checkpoints => "全部重算时，每层只保留输入。",
        Rule::FirstLayer => "最后做反向的那一层仍保留的激活。",
        Rule::EmbeddingNorm => "嵌入之后归一化的输入。",
        Rule::FinalNorm => "输出层之前归一化的输入和输出。",
        Rule::EmbeddingDropout => "嵌入之后 dropout 的 1 字节掩码。",
        Rule::LossLogits => "logits 及计算损失时的中间结果。融合实现原地改写为梯度；逐算子实现另存 FP32 副本。",
        Rule::PredictionLogits => "预测更后面词元的各个损失为反向保存的内容，每个都有同样多的 logits。",
        Rule::LossHiddenGradient => "损失与输出层融合计算时，只需保存隐藏状态的梯度，不必保存 logits。",
        Rule::LossWaiting => "先前各微批的损失在反向开始之前所保留的内容。",
        Rule::RecomputedLayer => "重计算时恢复出来的激活，一次一层。",
        Rule::GatheredInput => "序列并行时，算权重梯度要把矩阵乘的输入重新收集完整，它传出的梯度在分发之前也是完整的。",
        Rule::GradientsInFlight => "反向途中正在传递的激活梯度。",
        Rule::LibraryWorkspace => "矩阵运算库在框架分配器内占用的工作区。",
        Rule::WeightGradientWorkspace => "融合梯度累加时交给自动求导的占位梯度。",
        Rule::DeviceContext => "设备上下文和已加载的内核，不归分配器管理。",
        Rule::Communicators => "各通信域的缓冲区，不归分配器管理。",
        Rule::AllToAll => "首次 all-to-all 建立的缓冲区，每对 rank 一份。",
        Rule::AllocatorSlack => "分配器持有、但因碎片而用不上的显存。",
        Rule::ServedLinear => "注意力和 MLP 的矩阵，按推理格式存储。",
        Rule::ServedRest => "嵌入、输出层、归一化和偏置；量化格式通常让它们保持 16 位。",
        Rule::ServedMix => "GGUF 文件中按同一块格式存储的张量；归一化和偏置为 32 位。",
        Rule::ServedScales => "各组之外、把量化权重还原为数值所需的数据。",
        Rule::RotaryTable => "每个位置的正弦和余弦，引擎把它与权重放在一起。",
        Rule::CacheScales => "量化缓存中位于各行之外的缩放因子。",
        Rule::IndexerCache => "索引器据以挑选注意力所看词元的键，每个请求的每个词元一份；每个张量 rank 都有全部。",
        Rule::RecurrentState => {
            "线性注意力或状态空间为过去所有词元保留的状态：卷积最近的输入，以及每个头一个 fp32 矩阵；每个草稿词元另存一份。"
        }
        Rule::SamplerRows => "按批次最多序列数计算的 fp32 logits、排序副本和概率：vLLM 的试运行以此结束。",
        Rule::GraphTensors => "计算图同一时刻存活的隐藏状态。",
        Rule::AttentionMask => "微批中每个词元能看到哪些缓存单元。",
        Rule::TurnedCache => "注意力读取之前，一层的键和值被还原为 16 位。",
        Rule::EngineContext => "设备上下文、内核，以及引擎在张量之外占用的其他显存。",
        Rule::EngineCommunicators => "各 rank 之间通信器的缓冲区。",
        Rule::CapturedGraphs => "缓存就位之后捕获的计算图。",
        Rule::KeyValueCache => "每个请求中每个词元的键和值，按整块分配；窗口层只保留引擎所留的部分。",
        Rule::LatentCache => {
            "每个请求中每个词元的窄向量（键和值由它展开）以及键的旋转部分；每个张量并行 rank 都存全部。"
        }
        Rule::MixedLatentCache => {
            "每个请求中每个词元的窄向量，以 FP8 存放，每 128 个元素一个 fp32 缩放系数；键的旋转部分为 16 位；每个张量并行 rank 都存全部。"
        }
        Rule::PrefillTensors => "处理一段提示词时同时存活的张量。",
        Rule::PrefillScores => "朴素注意力的分数，一次一层。",
        Rule::LogitRows => "待采样词元的 logits。",
    }
}

pub fn symbol(symbol: Symbol) -> &'static str {
    match symbol {
        Symbol::BytesPerParameter => "该科目每个参数的字节数",
        Symbol::BytesPerElement => "每个元素的字节数",
        Symbol::SplitParameters => "张量并行切分的参数",
        Symbol::RepeatedParameters => "每个张量并行 rank 各存一份的参数（归一化、部分偏置）",
        Symbol::Tensor => "张量并行数",
        Symbol::Shards => "分摊该科目的数据并行 rank 数（1：每个 rank 存全部）",
        Symbol::ExpertParameters => "全部路由专家的参数",
        Symbol::ExpertRanks => "分摊每层专家的 rank 数",
        Symbol::ExpertTensor => "专家内部的张量并行数",
        Symbol::Predictions => "预测更后面词元的层数",
        Symbol::QuantisedParameters => "本 rank 上可用 8 位动量的较大张量的参数",
        Symbol::SmallParameters => "本 rank 上太小、不用 8 位动量的张量的参数",
        Symbol::QuantisationBlock => "共用一个 FP32 缩放因子的参数个数",
        Symbol::RowsAndColumns => "本 rank 各矩阵的行数与列数之和",
        Symbol::Vectors => "本 rank 上不在矩阵中的参数",
        Symbol::Tokens => "本 rank 一个微批的词元数（微批大小 × 序列长度）",
        Symbol::Width => "每个词元的元素数",
        Symbol::Layers => "层数（保存激活时：每层按在途微批数计）",
        Symbol::Divisor => "分摊这些元素的 rank 数",
        Symbol::Keys => "每个查询关注的词元数（序列长度）",
        Symbol::Heads => "注意力头数",
        Symbol::Vocabulary => "词表大小（含填充）",
        Symbol::MicroBatches => "损失已算完、等待反向的微批数",
        Symbol::ContextBlocks => "同时存在的序列块数",
        Symbol::BlockParameters => "一个张量并行 rank 上一层的参数",
        Symbol::RootParameters => "一个张量并行 rank 上嵌入、输出层和末层归一化的参数",
        Symbol::LiveParameters => "本张量并行 rank 上同时处于完整状态的参数",
        Symbol::PrefetchedParameters => "预取的参数",
        Symbol::Blocks => "同时处于完整状态的层数或张量数",
        Symbol::Hidden => "隐藏维度",
        Symbol::HiddenDivisor => "分摊隐藏状态的 rank 数",
        Symbol::LayerBytes => "一层为反向保存的字节数",
        Symbol::BucketElements => "一个缓冲桶的元素数",
        Symbol::Buckets => "缓冲桶数",
        Symbol::FixedBytes => "该设备与库的实测字节数",
        Symbol::DistinctShapes => "本 rank 上各种不同线性层形状的元素总数",
        Symbol::PairGroups => "两个 rank 的通信域个数",
        Symbol::LargeGroups => "更多 rank 的通信域个数",
        Symbol::PairBytes => "两个 rank 的通信域的字节数",
        Symbol::LargeBytes => "较大通信域的字节数",
        Symbol::SlackFactor => "该框架实测的保留与已分配之比",
        Symbol::ActiveBytes => "峰值时张量占用的字节数",
        Symbol::BitsPerWeight => "每个权重的位数（含缩放因子和零点）",
        Symbol::Weights => "一个 rank 上这一类权重的个数",
        Symbol::KeyWidth => "每个头的元素数",
        Symbol::KeyValueHeads => "一个 rank 上的键值头数",
        Symbol::CacheTokens => "单个请求在缓存中的词元数（按整块向上取整）",
        Symbol::Requests => "一个副本上的请求数",
        Symbol::Scales => "一个 rank 上缩放因子的个数",
        Symbol::LogitRows => "一次前向计算的 logits 行数",
        Symbol::ValueWidth => "每个值头的元素数",
        Symbol::Positions => "模型声明支持的位置数",
        Symbol::TurningWidth => "每个词元的键中随位置旋转的元素数",
        Symbol::ScaleBytes => "一层中每个词元旁的缩放因子字节数",
        Symbol::IndexBytes => "一层中索引器为每个词元保留的字节数",
        Symbol::ConvolutionElements => "一个 rank 上保留的卷积输入数",
        Symbol::StateElements => "一个 rank 上一层状态的元素数",
        Symbol::StateCopies => "状态的份数：一份，每个草稿词元再加一份",
        Symbol::WidestWidth => "一层最宽处每个词元的元素数",
        Symbol::ChunkTokens => "一个预填充分块的词元数",
    }
}

/// A kind of JSON value, in the words of the readers; texts of the schema itself stay as they are.
fn kind(text: &str) -> &str {
    match text {
        "a list" => "列表",
        "an object" => "对象",
        "true or false" => "true 或 false",
        "a number" => "数",
        "a whole number, not negative" => "非负整数",
        "a whole number, or \"auto\"" => "整数或 \"auto\"",
        "text" => "文本",
        "a GPU of the catalogue, or an object with memory_bytes, bandwidth, peak_flops" => {
            "目录中的 GPU，或含 memory_bytes、bandwidth、peak_flops 的对象"
        }
        "a link of the catalogue, or an object with bandwidth, latency, efficiency" => {
            "目录中的链路，或含 bandwidth、latency、efficiency 的对象"
        }
        "the name of a recipe, or an object with weights, gradients, master, momentum, variance" => {
            "配方名，或含 weights、gradients、master、momentum、variance 的对象"
        }
        "{\"parameters\": count}, an id of the catalogue, or the keys of a config.json" => {
            "{\"parameters\": 数量}、目录中的模型，或 config.json 的各项"
        }
        "attention, all_linear, or a list of module names" => "attention、all_linear，或模块名列表",
        other => other,
    }
}
