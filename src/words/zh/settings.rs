//! What stands beside each setting.

pub const CONTROLS: &str = "模型与机器";
pub const DEFAULT: &str = "默认";
pub const DEFAULT_IS: &str = "{0}（默认）";
pub const OWN_FIGURES: &str = "自定义";
pub const DISMISS: &str = "知道了";

// Above the card.
pub const PARAMETERS: &str = "参数量";
pub const PRECISION: &str = "精度";
pub const GPU: &str = "GPU";
pub const SHARDS_GPUS: &str = "分片数（GPU 数）";
pub const SEQUENCE: &str = "序列长度（词元）";

// Groups.
pub const TRAINING: &str = "训练设置";
pub const LAYOUT: &str = "并行设置";
pub const SERVING: &str = "推理设置";
pub const CLUSTER: &str = "集群设置";

// Training.
pub const FRAMEWORK: &str = "训练框架";
pub const RECIPE: &str = "精度方案";
pub const SHARDING: &str = "GPU 间分片";
pub const MICRO_BATCH: &str = "微批大小（序列数）";
pub const GLOBAL_BATCH: &str = "全局批大小（序列数）";
pub const TRAINING_SEQUENCE: &str = "训练序列长度（词元）";
pub const PACKING: &str = "非填充词元的比例";
pub const RECOMPUTE: &str = "重计算";
pub const RECOMPUTED_LAYERS: &str = "每级重算的层数";
pub const ATTENTION: &str = "注意力";
pub const KERNELS: &str = "算子";
pub const LOSS: &str = "损失";
pub const LOSS_CHUNKS: &str = "损失分块数";
pub const OPTIMIZER: &str = "优化器";
pub const OPTIMIZER_STEP: &str = "优化器更新方式";
pub const OPTIMIZER_IN_BACKWARD: &str = "反向时即时更新";
pub const PAGED_OPTIMIZER: &str = "优化器状态可分页到主机";
pub const FUSED_ACCUMULATION: &str = "在矩阵乘内累加梯度";
pub const COMPUTE_IN: &str = "矩阵乘的格式";
pub const GRADIENTS_TRAVEL_IN: &str = "梯度传输的格式";
pub const VOCAB_MULTIPLE: &str = "词表补齐到此数的倍数";
pub const DROPOUT: &str = "Dropout";
pub const OFFLOAD: &str = "卸载到主机内存";
pub const ACTIVATION_OFFLOAD: &str = "卸载激活";
pub const ADAPTER: &str = "适配器";
pub const ADAPTER_RANK: &str = "适配器的秩";

// Layout.
pub const TENSOR_PARALLEL: &str = "张量并行";
pub const SEQUENCE_PARALLEL: &str = "序列并行";
pub const PIPELINE_STAGES: &str = "流水线级数";
pub const SCHEDULE: &str = "流水线调度";
pub const VIRTUAL_STAGES: &str = "每级的层块数";
pub const CONTEXT_PARALLEL: &str = "上下文并行";
pub const CONTEXT_METHOD: &str = "上下文切分方式";
pub const EXPERT_PARALLEL: &str = "专家并行";
pub const EXPERT_TENSOR: &str = "专家内张量并行数";
pub const EXPERT_CAPACITY: &str = "专家容量（相对平均值）";
pub const EXPERT_IMBALANCE: &str = "最忙 rank 的词元数（相对平均值）";
pub const EXPERT_DISPATCH: &str = "词元发往专家的格式";
pub const SHARD_GROUP: &str = "分片组大小（HSDP）";
pub const RESHARD: &str = "前向之后释放聚合的权重";
pub const ZERO_PLUS_WEIGHTS: &str = "ZeRO++：权重以 8 位传输";
pub const ZERO_PLUS_GRADIENTS: &str = "ZeRO++：梯度以 4 位传输";
pub const ZERO_PLUS_COPY: &str = "ZeRO++：每个节点另存一份权重";
pub const TENSOR_OVERLAP: &str = "张量并行通信被掩盖的比例";
pub const DATA_OVERLAP: &str = "数据并行通信可被掩盖的比例";

// Serving.
pub const REQUESTS_PART: &str = "请求";
pub const FORMATS_PART: &str = "格式";
pub const ENGINE_PART: &str = "引擎的显存";
pub const SPLIT_PART: &str = "跨 GPU 切分";
pub const NOT_HERE: &str =
    "以下各项因 {0} 或该模型没有而未显示：{1}。换用其他引擎时，只有当前引擎才有的设置会恢复默认。";
pub const ENGINE: &str = "推理引擎";
pub const SERVED_WEIGHTS: &str = "权重格式";
pub const CACHE_FORMAT: &str = "键值缓存格式";
pub const CONCURRENCY: &str = "并发请求数";
pub const CONTEXT: &str = "单个请求的上下文（词元）";
pub const PREFILL_CHUNK: &str = "预填充分块（词元）";
pub const SERVING_TENSOR: &str = "张量并行";
pub const MEMORY_FRACTION: &str = "显存占比";
pub const CACHE_BYTES: &str = "每块 GPU 的缓存字节数";
pub const MAX_SEQUENCES: &str = "批次最多序列数";
pub const CUDA_GRAPHS: &str = "CUDA 图";
pub const LOGITS_ROWS: &str = "每次前向的 logits 行数";
pub const DRAFT_TOKENS: &str = "每步草稿词元数";
pub const SHARED_PREFIX: &str = "所有请求共享的前缀（词元）";
pub const BLOCK: &str = "每块词元数";
pub const LATENT_CACHE: &str = "潜在注意力缓存";
pub const BY_REQUEST: &str = "注意力按请求切分";
pub const KV_UNIFIED: &str = "所有槽共用一份缓存";
pub const SWA_FULL: &str = "窗口层按全长缓存";
pub const PLAIN_FORMATS: &str = "未量化";
pub const EIGHT_BITS: &str = "8 位";
pub const FOUR_BITS: &str = "4 位";
pub const GGUF_MIXES: &str = "GGUF 文件（llama.cpp）";
pub const ONE_SCALE: &str = "每张量或每头一个缩放因子";
pub const GGML_BLOCKS: &str = "ggml 分块（llama.cpp）";

// Cluster.
pub const GPUS_PER_NODE: &str = "每节点 GPU 数";
pub const NETWORK: &str = "节点间网络";
pub const NETWORK_VIEW: &str = "集合通信可用的网卡";
pub const CONVENTION: &str = "模型 FLOPs 的口径";
pub const RUN_TOKENS: &str = "总词元数";
pub const PRICE: &str = "每 GPU 小时价格";
pub const MTBF: &str = "单块 GPU 平均无故障小时数";
pub const STORAGE: &str = "检查点写入速度（字节每秒）";
