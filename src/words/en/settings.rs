//! What settings are called, and what is said around them.

use crate::names::ZeroPlusPlus;
use crate::scenario::SettingId;

pub const CONTROLS: &str = "Model and machines";
pub const DEFAULT: &str = "default";
pub const DEFAULT_IS: &str = "{0} (default)";
pub const OWN_FIGURES: &str = "figures of its own";
pub const DISMISS: &str = "Dismiss";
pub const PARAMETERS: &str = "Parameters";
pub const PRECISION: &str = "Precision";
pub const SEQUENCE: &str = "Sequence (tokens)";
pub const TRAINING: &str = "Training";
pub const LAYOUT: &str = "Layout";
pub const SERVING: &str = "Serving";
pub const CLUSTER: &str = "Cluster";
pub const REQUESTS_PART: &str = "Requests";
pub const FORMATS_PART: &str = "Formats";
pub const ENGINE_PART: &str = "Memory of the engine";
pub const SPLIT_PART: &str = "Split over GPUs";
pub const NOT_HERE: &str = "Not shown, because {0} or this model has no such thing: {1}. Choosing another engine gives back what only this one has.";
pub const PLAIN_FORMATS: &str = "Unquantised";
pub const EIGHT_BITS: &str = "8 bits";
pub const FOUR_BITS: &str = "4 bits";
pub const GGUF_MIXES: &str = "GGUF files (llama.cpp)";
pub const ONE_SCALE: &str = "One scale a tensor or head";
pub const GGML_BLOCKS: &str = "Blocks of ggml (llama.cpp)";

/// What a setting is called.
pub fn setting(setting: SettingId) -> &'static str {
    match setting {
        SettingId::Model => "Model",
        SettingId::Framework => "Framework",
        SettingId::Gpu => "GPU",
        SettingId::Gpus => "Shards (GPUs)",
        SettingId::GpusPerNode => "GPUs in a node",
        SettingId::Link => "Link inside a node",
        SettingId::Network => "Network between nodes",
        SettingId::BandwidthView => "Network cards a collective uses",
        SettingId::MemoryEfficiency => "Share of memory bandwidth reached",
        SettingId::ReserveBytes => "Bytes to leave free on a GPU",
        SettingId::PricePerGpuHour => "Price of a GPU-hour",
        SettingId::GpuMtbfHours => "Hours between failures of a GPU",
        SettingId::StorageBandwidth => "Checkpoint bytes a second",
        SettingId::Recipe => "Recipe",
        SettingId::Sharding => "Sharding",
        SettingId::MicroBatch => "Micro-batch (sequences)",
        SettingId::GlobalBatch => "Global batch (sequences)",
        SettingId::TrainingSequence => "Training sequence (tokens)",
        SettingId::Packing => "Share of tokens that are not padding",
        SettingId::Recompute => "Recomputation",
        SettingId::RecomputeLayers => "Recomputed layers in a stage",
        SettingId::TrainingAttention | SettingId::ServingAttention => "Attention",
        SettingId::Kernels => "Kernels",
        SettingId::Loss => "Loss",
        SettingId::LossChunks => "Chunks of the loss",
        SettingId::Optimizer => "Optimiser",
        SettingId::OptimizerStep => "Optimiser step",
        SettingId::OptimizerInBackward => "Update during backward",
        SettingId::PagedOptimizer => "Optimiser state can be paged to the host",
        SettingId::GradientAccumulationFusion => "Gradients added up inside the product",
        SettingId::Compute => "Matrix products in",
        SettingId::ReduceDtype => "Gradients travel in",
        SettingId::VocabMultiple => "Vocabulary padded to a multiple of",
        SettingId::Dropout => "Dropout",
        SettingId::Offload => "Offload to the host",
        SettingId::OffloadFraction => "Share of optimiser states offloaded",
        SettingId::ActivationOffload => "Offload activations",
        SettingId::Adapter | SettingId::AdapterKind => "Adapters",
        SettingId::TrainingTensor => "Tensor parallel",
        SettingId::SequenceParallel => "Sequence parallel",
        SettingId::TrainingPipeline | SettingId::ServingPipeline => "Pipeline stages",
        SettingId::Schedule => "Pipeline schedule",
        SettingId::VirtualStages => "Layer chunks in a stage",
        SettingId::LayersPerStage => "Layers of each stage",
        SettingId::ContextParallel => "Context parallel",
        SettingId::ContextMethod => "Context split",
        SettingId::TrainingExpert | SettingId::ServingExpert => "Expert parallel",
        SettingId::ExpertTensor => "Tensor parallel inside an expert",
        SettingId::ExpertCapacity => "Capacity of an expert, over the mean",
        SettingId::ExpertImbalance => "Tokens of the busiest rank, over the mean",
        SettingId::ExpertDispatch => "Tokens travel to experts in",
        SettingId::ShardGroup => "Shard group (HSDP)",
        SettingId::ReshardAfterForward => "Drop gathered weights after forward",
        SettingId::ZeroPlusPlus => "ZeRO++",
        SettingId::TensorOverlap => "Share of tensor collectives hidden",
        SettingId::DataOverlap => "Share of data traffic that may hide",
        SettingId::FlopsConvention => "Model FLOPs counted as in",
        SettingId::RunTokens => "Tokens of the run",
        SettingId::TrainingCeiling | SettingId::ServingCeiling => "Share of the peak rate reached",
        SettingId::AdapterRank => "Rank of the adapters",
        SettingId::AdapterTargets => "Modules with adapters",
        SettingId::AdapterDropout => "Dropout before an adapter",
        SettingId::DoubleQuantization => "Scales are quantised too",
        SettingId::Engine => "Engine",
        SettingId::ServingContext => "Context of a request (tokens)",
        SettingId::Concurrency => "Requests at once",
        SettingId::SharedPrefix => "Prefix shared by all (tokens)",
        SettingId::DraftTokens => "Drafted tokens a step",
        SettingId::Weights => "Weights",
        SettingId::Cache => "Key-value cache",
        SettingId::LatentCache => "Latent attention caches",
        SettingId::MemoryFraction => "Memory fraction",
        SettingId::CacheBytes => "Cache bytes on a GPU",
        SettingId::MaxSequences => "Most sequences in a batch",
        SettingId::CudaGraphs => "CUDA graphs",
        SettingId::PrefillChunk => "Prefill chunk (tokens)",
        SettingId::Block => "Tokens in a block",
        SettingId::UnifiedCache => "One cache for all slots",
        SettingId::FullWindows => "Windowed layers at full length",
        SettingId::LogitsRows => "Rows of logits in a pass",
        SettingId::ServingTensor => "Tensor parallel",
        SettingId::DataParallelAttention => "Attention split by request",
    }
}

/// A part of ZeRO++.
pub fn zero_plus_plus(part: ZeroPlusPlus) -> &'static str {
    match part {
        ZeroPlusPlus::QuantizedWeights => "ZeRO++: weights travel in 8 bits",
        ZeroPlusPlus::QuantizedGradients => "ZeRO++: gradients travel in 4 bits",
        ZeroPlusPlus::SecondaryPartition => "ZeRO++: a copy of the weights in every node",
    }
}
