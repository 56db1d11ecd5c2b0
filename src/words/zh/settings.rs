//! What settings are called, and what is said around them.

use crate::names::ZeroPlusPlus;
use crate::scenario::SettingId;

pub const CONTROLS: &str = "模型与机器";
pub const DEFAULT: &str = "默认";
pub const DEFAULT_IS: &str = "{0}（默认）";
pub const OWN_FIGURES: &str = "自定义";
pub const DISMISS: &str = "知道了";
pub const PARAMETERS: &str = "参数量";
pub const PRECISION: &str = "精度";
pub const SEQUENCE: &str = "序列长度（词元）";
pub const TRAINING: &str = "训练设置";
pub const LAYOUT: &str = "并行设置";
pub const SERVING: &str = "推理设置";
pub const CLUSTER: &str = "集群设置";
pub const REQUESTS_PART: &str = "请求";
pub const FORMATS_PART: &str = "格式";
pub const ENGINE_PART: &str = "引擎的显存";
pub const SPLIT_PART: &str = "跨 GPU 切分";
pub const NOT_HERE: &str =
    "以下各项因 {0} 或该模型没有而未显示：{1}。换用其他引擎时，只有当前引擎才有的设置会恢复默认。";
pub const PLAIN_FORMATS: &str = "未量化";
pub const EIGHT_BITS: &str = "8 位";
pub const FOUR_BITS: &str = "4 位";
pub const GGUF_MIXES: &str = "GGUF 文件（llama.cpp）";
pub const ONE_SCALE: &str = "每张量或每头一个缩放因子";
pub const GGML_BLOCKS: &str = "ggml 分块（llama.cpp）";

/// What a setting is called.
pub fn setting(setting: SettingId) -> &'static str {
    match setting {
        SettingId::Model => "模型",
        SettingId::Framework => "训练框架",
        SettingId::Gpu => "GPU",
        SettingId::Gpus => "分片数（GPU 数）",
        SettingId::GpusPerNode => "每节点 GPU 数",
        SettingId::Link => "节点内互连",
        SettingId::Network => "节点间网络",
        SettingId::BandwidthView => "集合通信可用的网卡",
        SettingId::MemoryEfficiency => "显存带宽的可达比例",
        SettingId::ReserveBytes => "每块 GPU 预留的字节数",
        SettingId::PricePerGpuHour => "每 GPU 小时价格",
        SettingId::GpuMtbfHours => "单块 GPU 平均无故障小时数",
        SettingId::StorageBandwidth => "检查点写入速度（字节每秒）",
        SettingId::Recipe => "精度方案",
        SettingId::Sharding => "GPU 间分片",
        SettingId::MicroBatch => "微批大小（序列数）",
        SettingId::GlobalBatch => "全局批大小（序列数）",
        SettingId::TrainingSequence => "训练序列长度（词元）",
        SettingId::Packing => "非填充词元的比例",
        SettingId::Recompute => "重计算",
        SettingId::RecomputeLayers => "每级重算的层数",
        SettingId::TrainingAttention | SettingId::ServingAttention => "注意力",
        SettingId::Kernels => "算子",
        SettingId::Loss => "损失",
        SettingId::LossChunks => "损失分块数",
        SettingId::Optimizer => "优化器",
        SettingId::OptimizerStep => "优化器更新方式",
        SettingId::OptimizerInBackward => "反向时即时更新",
        SettingId::PagedOptimizer => "优化器状态可分页到主机",
        SettingId::GradientAccumulationFusion => "在矩阵乘内累加梯度",
        SettingId::Compute => "矩阵乘的格式",
        SettingId::ReduceDtype => "梯度传输的格式",
        SettingId::VocabMultiple => "词表补齐到此数的倍数",
        SettingId::Dropout => "Dropout",
        SettingId::Offload => "卸载到主机内存",
        SettingId::OffloadFraction => "优化器状态卸载的比例",
        SettingId::ActivationOffload => "卸载激活",
        SettingId::Adapter | SettingId::AdapterKind => "适配器",
        SettingId::TrainingTensor => "张量并行",
        SettingId::SequenceParallel => "序列并行",
        SettingId::TrainingPipeline | SettingId::ServingPipeline => "流水线级数",
        SettingId::Schedule => "流水线调度",
        SettingId::VirtualStages => "每级的层块数",
        SettingId::LayersPerStage => "各级的层数",
        SettingId::ContextParallel => "上下文并行",
        SettingId::ContextMethod => "上下文切分方式",
        SettingId::TrainingExpert | SettingId::ServingExpert => "专家并行",
        SettingId::ExpertTensor => "专家内张量并行数",
        SettingId::ExpertCapacity => "专家容量（相对平均值）",
        SettingId::ExpertImbalance => "最忙 rank 的词元数（相对平均值）",
        SettingId::ExpertDispatch => "词元发往专家的格式",
        SettingId::ShardGroup => "分片组大小（HSDP）",
        SettingId::ReshardAfterForward => "前向之后释放聚合的权重",
        SettingId::ZeroPlusPlus => "ZeRO++",
        SettingId::TensorOverlap => "张量并行通信被掩盖的比例",
        SettingId::DataOverlap => "数据并行通信可被掩盖的比例",
        SettingId::FlopsConvention => "模型 FLOPs 的口径",
        SettingId::RunTokens => "总词元数",
        SettingId::TrainingCeiling | SettingId::ServingCeiling => "峰值算力的可达比例",
        SettingId::AdapterRank => "适配器的秩",
        SettingId::AdapterTargets => "加适配器的模块",
        SettingId::AdapterDropout => "适配器前的 Dropout",
        SettingId::DoubleQuantization => "缩放因子也量化",
        SettingId::Engine => "推理引擎",
        SettingId::ServingContext => "单个请求的上下文（词元）",
        SettingId::Concurrency => "并发请求数",
        SettingId::SharedPrefix => "所有请求共享的前缀（词元）",
        SettingId::DraftTokens => "每步草稿词元数",
        SettingId::Weights => "权重格式",
        SettingId::Cache => "键值缓存格式",
        SettingId::LatentCache => "潜在注意力缓存",
        SettingId::MemoryFraction => "显存占比",
        SettingId::CacheBytes => "每块 GPU 的缓存字节数",
        SettingId::MaxSequences => "批次最多序列数",
        SettingId::CudaGraphs => "CUDA 图",
        SettingId::PrefillChunk => "预填充分块（词元）",
        SettingId::Block => "每块词元数",
        SettingId::UnifiedCache => "所有槽共用一份缓存",
        SettingId::FullWindows => "窗口层按全长缓存",
        SettingId::LogitsRows => "每次前向的 logits 行数",
        SettingId::ServingTensor => "张量并行",
        SettingId::DataParallelAttention => "注意力按请求切分",
    }
}

/// A part of ZeRO++.
pub fn zero_plus_plus(part: ZeroPlusPlus) -> &'static str {
    match part {
        ZeroPlusPlus::QuantizedWeights => "ZeRO++：权重以 8 位传输",
        ZeroPlusPlus::QuantizedGradients => "ZeRO++：梯度以 4 位传输",
        ZeroPlusPlus::SecondaryPartition => "ZeRO++：每个节点另存一份权重",
    }
}
