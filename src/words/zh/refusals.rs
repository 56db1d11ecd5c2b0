//! Why a value was refused.

use crate::refusal::{Contradiction, DivisionRule, Expected, Given, LinkProblem, Problem};
use crate::scenario::SettingId;

pub const OF_FIELD: &str = "{0}：{1}";
pub const NOT_A_NUMBER: &str = "“{0}”不是数字；可写作：{1}";
pub const NOT_JSON: &str = "这不是 JSON：{0}";
pub const EXAMPLE_PARAMETERS: &str = "7b、70 B、70亿、1e9、1,000,000";
pub const EXAMPLE_TOKENS: &str = "8k（即 8,192）、131072、1,000,000";
pub const EXAMPLE_COUNT: &str = "整数，例如 8";
pub const EXAMPLE_SHARE: &str = "0 到 1 之间的比例，例如 0.1";
pub const EXAMPLE_FACTOR: &str = "倍数，例如 1.25";
pub const EXAMPLE_BYTES: &str = "字节数，如 8 GiB、8GB 或 8,589,934,592";

/// What is wrong with a value.
pub fn problem(problem: &Problem) -> String {
    match problem {
        Problem::Range { given, least, most, whole } => {
            let kind = if *whole { "整数" } else { "数" };
            format!("给定 {given}；允许 {least} 到 {most} 之间的{kind}")
        }
        Problem::Unknown { given, allowed } => format!("给定“{given}”；可选：{allowed}"),
        Problem::Only { given, with, values } => {
            let with = SettingId::from_path(with).map_or("", super::settings::setting);
            format!("给定 {given}；仅适用于{with} {values}")
        }
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
        Problem::Kind { given, expected: allowed } => {
            format!("给定 {}；须为{}", self::given(given), expected(*allowed))
        }
        Problem::UnknownField { given, allowed } => format!("没有“{given}”这一项；可选：{allowed}"),
        Problem::Link(why) => link(*why).to_owned(),
        Problem::Model(problem) => super::pasted_model::refused(problem),
        Problem::Malformed(text) => text.clone(),
    }
}

/// A division rule with the other number put in.
pub fn division(rule: DivisionRule, other: u64) -> String {
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

/// What a choice contradicts.
pub fn contradiction(with: Contradiction) -> String {
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

/// Why a link cannot be read.
pub fn link(why: LinkProblem) -> &'static str {
    match why {
        LinkProblem::NotPairs => "链接须由“路径=值”组成，以 & 连接",
        LinkProblem::TooDeep => "没有层数这么多的路径",
        LinkProblem::ValueAndParts => "既给了值，又给了下级各项",
        LinkProblem::Twice => "给定了两次",
        LinkProblem::Percent => "% 之后须有两位十六进制数字",
        LinkProblem::NotUtf8 => "不是 UTF-8 编码",
        LinkProblem::NoReader => "用于读取链接的部分未能加载，请刷新页面重试",
    }
}

/// A JSON value that was given.
pub fn given(given: &Given) -> &str {
    match given {
        Given::List => "列表",
        Given::Object => "对象",
        Given::Value(value) => value,
    }
}

/// What is allowed in a place.
pub fn expected(expected: Expected) -> String {
    let text = match expected {
        Expected::OneOf(names) => return names.join(", "),
        Expected::List => "列表",
        Expected::Object => "对象",
        Expected::Boolean => "true 或 false",
        Expected::Number => "数",
        Expected::WholeNumber => "非负整数",
        Expected::WholeNumberOrAuto => "整数或 \"auto\"",
        Expected::Text => "文本",
        Expected::Gpu => "目录中的 GPU，或含 memory_bytes、bandwidth、peak_flops 的对象",
        Expected::Link => "目录中的链路，或含 bandwidth、latency、efficiency 的对象",
        Expected::Recipe => "配方名，或含 weights、gradients、master、momentum、variance 的对象",
        Expected::Model => "{\"parameters\": 数量}、目录中的模型，或 config.json 的各项",
        Expected::AdapterTargets => "attention、all_linear，或模块名列表",
    };
    text.to_owned()
}
