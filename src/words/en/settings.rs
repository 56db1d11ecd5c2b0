//! What stands beside each setting.

pub const CONTROLS: &str = "Model and machines";
pub const DEFAULT: &str = "default";
pub const DEFAULT_IS: &str = "{0} (default)";
pub const OWN_FIGURES: &str = "figures of its own";
pub const DISMISS: &str = "Dismiss";

// Above the card.
pub const PARAMETERS: &str = "Parameters";
pub const PRECISION: &str = "Precision";
pub const GPU: &str = "GPU";
pub const SHARDS_GPUS: &str = "Shards (GPUs)";
pub const SEQUENCE: &str = "Sequence (tokens)";

// Groups.
pub const TRAINING: &str = "Training";
pub const LAYOUT: &str = "Layout";
pub const SERVING: &str = "Serving";
pub const CLUSTER: &str = "Cluster";

// Training.
pub const FRAMEWORK: &str = "Framework";
pub const RECIPE: &str = "Recipe";
pub const SHARDING: &str = "Sharding";
pub const MICRO_BATCH: &str = "Micro-batch (sequences)";
pub const GLOBAL_BATCH: &str = "Global batch (sequences)";
pub const TRAINING_SEQUENCE: &str = "Training sequence (tokens)";
pub const PACKING: &str = "Share of tokens that are not padding";
pub const RECOMPUTE: &str = "Recomputation";
pub const RECOMPUTED_LAYERS: &str = "Recomputed layers in a stage";
pub const ATTENTION: &str = "Attention";
pub const KERNELS: &str = "Kernels";
pub const LOSS: &str = "Loss";
pub const LOSS_CHUNKS: &str = "Chunks of the loss";
pub const OPTIMIZER: &str = "Optimiser";
pub const OPTIMIZER_STEP: &str = "Optimiser step";
pub const OPTIMIZER_IN_BACKWARD: &str = "Update during backward";
pub const PAGED_OPTIMIZER: &str = "Optimiser state can be paged to the host";
pub const FUSED_ACCUMULATION: &str = "Gradients added up inside the product";
pub const COMPUTE_IN: &str = "Matrix products in";
pub const GRADIENTS_TRAVEL_IN: &str = "Gradients travel in";
pub const VOCAB_MULTIPLE: &str = "Vocabulary padded to a multiple of";
pub const DROPOUT: &str = "Dropout";
pub const OFFLOAD: &str = "Offload to the host";
pub const ACTIVATION_OFFLOAD: &str = "Offload activations";
pub const ADAPTER: &str = "Adapters";
pub const ADAPTER_RANK: &str = "Rank of the adapters";

// Layout.
pub const TENSOR_PARALLEL: &str = "Tensor parallel";
pub const SEQUENCE_PARALLEL: &str = "Sequence parallel";
pub const PIPELINE_STAGES: &str = "Pipeline stages";
pub const SCHEDULE: &str = "Pipeline schedule";
pub const VIRTUAL_STAGES: &str = "Layer chunks in a stage";
pub const CONTEXT_PARALLEL: &str = "Context parallel";
pub const CONTEXT_METHOD: &str = "Context split";
pub const EXPERT_PARALLEL: &str = "Expert parallel";
pub const EXPERT_TENSOR: &str = "Tensor parallel inside an expert";
pub const EXPERT_CAPACITY: &str = "Capacity of an expert, over the mean";
pub const EXPERT_IMBALANCE: &str = "Tokens of the busiest rank, over the mean";
pub const EXPERT_DISPATCH: &str = "Tokens travel to experts in";
pub const SHARD_GROUP: &str = "Shard group (HSDP)";
pub const RESHARD: &str = "Drop gathered weights after forward";
pub const ZERO_PLUS_WEIGHTS: &str = "ZeRO++: weights travel in 8 bits";
pub const ZERO_PLUS_GRADIENTS: &str = "ZeRO++: gradients travel in 4 bits";
pub const ZERO_PLUS_COPY: &str = "ZeRO++: a copy of the weights in every node";
pub const TENSOR_OVERLAP: &str = "Share of tensor collectives hidden";
pub const DATA_OVERLAP: &str = "Share of data traffic that may hide";

// Serving.
pub const REQUESTS_PART: &str = "Requests";
pub const FORMATS_PART: &str = "Formats";
pub const ENGINE_PART: &str = "Memory of the engine";
pub const SPLIT_PART: &str = "Split over GPUs";
pub const NOT_HERE: &str = "Not shown, because {0} or this model has no such thing: {1}. Choosing another engine gives back what only this one has.";
pub const ENGINE: &str = "Engine";
pub const SERVED_WEIGHTS: &str = "Weights";
pub const CACHE_FORMAT: &str = "Key-value cache";
pub const CONCURRENCY: &str = "Requests at once";
pub const CONTEXT: &str = "Context of a request (tokens)";
pub const PREFILL_CHUNK: &str = "Prefill chunk (tokens)";
pub const SERVING_TENSOR: &str = "Tensor parallel";
pub const MEMORY_FRACTION: &str = "Memory fraction";
pub const CACHE_BYTES: &str = "Cache bytes on a GPU";
pub const MAX_SEQUENCES: &str = "Most sequences in a batch";
pub const CUDA_GRAPHS: &str = "CUDA graphs";
pub const LOGITS_ROWS: &str = "Rows of logits in a pass";
pub const DRAFT_TOKENS: &str = "Drafted tokens a step";
pub const SHARED_PREFIX: &str = "Prefix shared by all (tokens)";
pub const BLOCK: &str = "Tokens in a block";
pub const LATENT_CACHE: &str = "Latent attention caches";
pub const BY_REQUEST: &str = "Attention split by request";
pub const KV_UNIFIED: &str = "One cache for all slots";
pub const SWA_FULL: &str = "Windowed layers at full length";
pub const PLAIN_FORMATS: &str = "Unquantised";
pub const EIGHT_BITS: &str = "8 bits";
pub const FOUR_BITS: &str = "4 bits";
pub const GGUF_MIXES: &str = "GGUF files (llama.cpp)";
pub const ONE_SCALE: &str = "One scale a tensor or head";
pub const GGML_BLOCKS: &str = "Blocks of ggml (llama.cpp)";

// Cluster.
pub const GPUS_PER_NODE: &str = "GPUs in a node";
pub const NETWORK: &str = "Network between nodes";
pub const NETWORK_VIEW: &str = "Network cards a collective uses";
pub const CONVENTION: &str = "Model FLOPs counted as in";
pub const RUN_TOKENS: &str = "Tokens of the run";
pub const PRICE: &str = "Price of a GPU-hour";
pub const MTBF: &str = "Hours between failures of a GPU";
pub const STORAGE: &str = "Checkpoint bytes a second";
