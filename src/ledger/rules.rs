//! The rules: every formula of the ledger stands here once, with its symbols, its source and the code that evaluates it.
//!
//! A formula is written with spaces between all its parts, so that [`super::explain`] can put today's numbers in. What
//! the bytes are is in the words of each language.

use super::basis::Basis;
use super::symbols::Symbol;

/// The texts of a rule that are the same in every language.
struct Text {
    id: &'static str,
    formula: &'static str,
    source: &'static str,
}

macro_rules! rules {
    ($($rule:ident = $id:literal, $basis:ident, $formula:literal, [$($symbol:ident),*], $evaluate:expr, $source:expr;)+) => {
        /// A formula of the ledger.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Rule { $(#[doc = concat!("`", $id, "`")] $rule),+ }

        impl Rule {
            /// Every rule, in the order of this file.
            pub const ALL: &'static [Rule] = &[$(Rule::$rule),+];

            fn text(self) -> &'static Text {
                match self {
                    $(Rule::$rule => &Text {
                        id: $id,
                        formula: $formula,
                        source: $source,
                    }),+
                }
            }

            /// The symbols of the formula, in the order in which an entry holds its terms.
            #[must_use]
            pub fn symbols(self) -> &'static [Symbol] {
                match self { $(Rule::$rule => &[$(Symbol::$symbol),*]),+ }
            }

            /// What its bytes rest on.
            #[must_use]
            pub fn basis(self) -> Basis {
                match self { $(Rule::$rule => Basis::$basis),+ }
            }

            // Apart from the texts: whoever only counts has no need of them.
            fn evaluator(self) -> fn(&[f64]) -> f64 {
                match self { $(Rule::$rule => $evaluate),+ }
            }
        }
    };
}

impl Rule {
    /// The name of the rule, as it stands in the report.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.text().id
    }

    /// The formula, its parts separated by spaces.
    #[must_use]
    pub fn formula(self) -> &'static str {
        self.text().formula
    }

    /// Where the formula comes from.
    #[must_use]
    pub fn source(self) -> &'static str {
        self.text().source
    }

    /// The bytes for these terms, before rounding to whole ones.
    #[must_use]
    pub fn evaluate(self, terms: &[f64]) -> f64 {
        self.evaluator()(terms)
    }
}

/// `c · ( Ψ_s ÷ t + Ψ_r ) ÷ N`
fn state(x: &[f64]) -> f64 {
    x[0] * (x[1] / x[3] + x[2]) / x[4]
}

/// `e · T · w · L ÷ d`
fn kept(x: &[f64]) -> f64 {
    x[0] * x[1] * x[2] * x[3] / x[4]
}

/// `e · T · s · a · L ÷ t`
fn scores(x: &[f64]) -> f64 {
    x[0] * x[1] * x[2] * x[3] * x[4] / x[5]
}

/// `e_σ · c_t · R · L`
fn beside(x: &[f64]) -> f64 {
    x[0] * x[1] * x[2] * x[3]
}

/// `β ÷ 8 · n_w`
fn stored(x: &[f64]) -> f64 {
    x[0] / 8.0 * x[1]
}

/// `c · Ψ_x ÷ ( p_e · t_e ) ÷ N`
fn experts(x: &[f64]) -> f64 {
    x[0] * x[1] / (x[2] * x[3]) / x[4]
}

const ZERO: &str = "Rajbhandari et al. 2020, ZeRO, arXiv 1910.02054, section 3.1";
const KORTHIKANTI: &str = "Korthikanti et al. 2022, arXiv 2205.05198, section 4";
const FSDP: &str = "Zhao et al. 2023, PyTorch FSDP, arXiv 2304.11277, section 3";

rules! {
    // Model state.
    StateWeights = "state.weights", Exact, "c · ( Ψ_s ÷ t + Ψ_r ) ÷ N",
        [BytesPerParameter, SplitParameters, RepeatedParameters, Tensor, Shards], state, ZERO;
    StateGradients = "state.gradients", Exact, "c · ( Ψ_s ÷ t + Ψ_r ) ÷ N",
        [BytesPerParameter, SplitParameters, RepeatedParameters, Tensor, Shards], state, ZERO;
    StateMasterWeights = "state.master_weights", Exact, "c · ( Ψ_s ÷ t + Ψ_r ) ÷ N",
        [BytesPerParameter, SplitParameters, RepeatedParameters, Tensor, Shards], state,
        "Micikevicius et al. 2018, Mixed Precision Training, arXiv 1710.03740, section 3.1";
    StateMomentum = "state.momentum", Exact, "c · ( Ψ_s ÷ t + Ψ_r ) ÷ N",
        [BytesPerParameter, SplitParameters, RepeatedParameters, Tensor, Shards], state,
        "Kingma and Ba 2015, Adam, arXiv 1412.6980, algorithm 1; bytes: ZeRO, arXiv 1910.02054, section 3.1";
    StateVariance = "state.variance", Exact, "c · ( Ψ_s ÷ t + Ψ_r ) ÷ N",
        [BytesPerParameter, SplitParameters, RepeatedParameters, Tensor, Shards], state,
        "Kingma and Ba 2015, Adam, arXiv 1412.6980, algorithm 1; bytes: ZeRO, arXiv 1910.02054, section 3.1";
    StateExperts = "state.experts", Exact, "c · Ψ_x ÷ ( p_e · t_e ) ÷ N",
        [BytesPerParameter, ExpertParameters, ExpertRanks, ExpertTensor, Shards], experts,
        "Rajbhandari et al. 2022, DeepSpeed-MoE, arXiv 2201.05596, section 5";
    LargestGradient = "state.largest_gradient", Exact, "c · n_w", [BytesPerParameter, Weights], |x| x[0] * x[1],
        "Lv et al. 2023, LOMO, arXiv 2306.09782, section 3";
    NewGradient = "backward.new_gradient", Exact, "e · n_w", [BytesPerElement, Weights], |x| x[0] * x[1],
        "PyTorch autograd: a gradient is computed whole before it is added to what is there";
    AdapterWeights = "adapters.weights", Exact, "c · ( Ψ_s ÷ t + Ψ_r ) ÷ N",
        [BytesPerParameter, SplitParameters, RepeatedParameters, Tensor, Shards], state,
        "Hu et al. 2022, LoRA, arXiv 2106.09685, section 4";
    FrozenQuantised = "adapters.quantised_base", Exact, "β ÷ 8 · n_w ÷ N", [BitsPerWeight, Weights, Shards],
        |x| x[0] / 8.0 * x[1] / x[2], "Dettmers et al. 2023, QLoRA, arXiv 2305.14314, section 3";
    FrozenRest = "adapters.frozen_rest", Exact, "c · n_w ÷ N", [BytesPerParameter, Weights, Shards], |x| x[0] * x[1] / x[2],
        "Dettmers et al. 2023, QLoRA, arXiv 2305.14314, section 3";
    MomentsBlockwise8bit = "optimizer.blockwise_8bit", Exact, "( ( 1 + 4 ÷ B ) · Ψ_8 + 4 · Ψ_32 ) ÷ N",
        [QuantisationBlock, QuantisedParameters, SmallParameters, Shards],
        |x| ((1.0 + 4.0 / x[0]) * x[1] + 4.0 * x[2]) / x[3],
        "Dettmers et al. 2022, 8-bit Optimizers, arXiv 2110.02861, section 2; small-tensor exception: bitsandbytes documentation";
    VarianceFactored = "optimizer.factored", Exact, "4 · ( Σ_rc + Ψ_v ) ÷ N",
        [RowsAndColumns, Vectors, Shards], |x| 4.0 * (x[0] + x[1]) / x[2],
        "Shazeer and Stern 2018, Adafactor, arXiv 1804.04235, section 3";
    MomentsOneDimension = "optimizer.one_dimension", Exact, "c · ( Σ_n + K + Ψ_o ) ÷ N",
        [BytesPerParameter, LongerSides, HiddenMatrices, OtherParameters, Shards], |x| x[0] * (x[1] + x[2] + x[3]) / x[4],
        "Zhu et al. 2025, APOLLO: SGD-like Memory, AdamW-level Performance, arXiv 2412.05270, table 1: 2n + 2 for both moments of an m × n matrix, m ≤ n";
    VarianceOutsideMuon = "optimizer.muon_rest", Exact, "c · ( Ψ_s ÷ t + Ψ_r ) ÷ N",
        [BytesPerParameter, SplitParameters, RepeatedParameters, Tensor, Shards], state,
        "Liu et al. 2025, Muon is Scalable for LLM Training, arXiv 2502.16982, section 2";

    StepTemporaries = "optimizer.temporaries", EngineRule, "n · c · n_w ÷ N", [Blocks, BytesPerParameter, Weights, Shards],
        |x| x[0] * x[1] * x[2] / x[3],
        "PyTorch, torch/optim/adam.py and sgd.py: the new tensors of a step that is not fused";

    // Whole weights gathered from shards.
    GatheredWeights = "gathered.weights", EngineRule, "c · ( n · Ψ_b + Ψ_e )",
        [BytesPerParameter, Blocks, BlockParameters, RootParameters], |x| x[0] * (x[1] * x[2] + x[3]), FSDP;
    SecondaryPartition = "gathered.secondary", Exact, "c · n_w ÷ N", [BytesPerParameter, Weights, Shards], |x| x[0] * x[1] / x[2],
        "Wang et al. 2023, ZeRO++, arXiv 2306.10209, section 3.2";
    UnshardedGradients = "gathered.gradients", EngineRule, "c · n · Ψ_b",
        [BytesPerParameter, Blocks, BlockParameters], |x| x[0] * x[1] * x[2], FSDP;
    WaitingGradients = "gathered.waiting_gradients", EngineRule, "c · ( n · Ψ_b + Ψ_e )",
        [BytesPerParameter, Blocks, BlockParameters, RootParameters], |x| x[0] * (x[1] * x[2] + x[3]),
        "PyTorch pipelining: gradients of a stage are reduced with its last micro-batch";
    LiveParameters = "gathered.live", EngineRule, "c · ( Ψ_l + Ψ_p )",
        [BytesPerParameter, LiveParameters, PrefetchedParameters], |x| x[0] * (x[1] + x[2]),
        "DeepSpeed configuration: stage3_max_live_parameters, 1e9, and stage3_prefetch_bucket_size, 5e7";
    Dequantised = "backward.dequantised", Exact, "e · n_w", [BytesPerElement, Weights], |x| x[0] * x[1],
        "Dettmers et al. 2023, QLoRA, arXiv 2305.14314, section 3";
    Buckets = "buffers.buckets", EngineRule, "e · E · n_b", [BytesPerElement, BucketElements, Buckets], |x| x[0] * x[1] * x[2],
        "DeepSpeed configuration: allgather_bucket_size and reduce_bucket_size, 5e8 elements each";
    PipelineBuffers = "buffers.pipeline", Exact, "2 · e · T · h ÷ d_h", [BytesPerElement, Tokens, Hidden, HiddenDivisor],
        |x| 2.0 * x[0] * x[1] * x[2] / x[3],
        "Narayanan et al. 2021, arXiv 2104.04473, section 4.1: what neighbouring stages send each other";
    ContextBuffers = "buffers.context", Exact, "e · T · w · n_c ÷ t",
        [BytesPerElement, Tokens, Width, ContextBlocks, Tensor], kept,
        "Liu et al. 2023, Ring Attention, arXiv 2310.01889, section 3; Jacobs et al. 2023, Ulysses, arXiv 2309.14509, section 3";

    // Tensors kept for backward.
    NormInputs = "activations.norm_inputs", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, KORTHIKANTI;
    NormUpcast = "activations.norm_upcast", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept,
        "counted in the autograd graph of a Llama layer of plain modules";
    NormOutputs = "activations.norm_outputs", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, KORTHIKANTI;
    HeadNormInputs = "activations.head_norm_inputs", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, "counted from the layer: queries and keys before their norms";
    QueriesKeysValues = "activations.queries_keys_values", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, KORTHIKANTI;
    SoftmaxStatistics = "activations.softmax_statistics", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, "Dao et al. 2022, FlashAttention, arXiv 2205.14135, algorithm 2";
    AttentionScores = "activations.attention_scores", Exact, "e · T · s · a · L ÷ t",
        [BytesPerElement, Tokens, Keys, Heads, Layers, Tensor], scores, KORTHIKANTI;
    ScoreDropout = "activations.score_dropout", Exact, "e · T · s · a · L ÷ t",
        [BytesPerElement, Tokens, Keys, Heads, Layers, Tensor], scores, KORTHIKANTI;
    AttentionOutput = "activations.attention_output", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, KORTHIKANTI;
    ExchangedOutput = "activations.exchanged_output", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept,
        "counted from the layer: attention keeps its output, and the output projection the exchanged one; as measured on B200";
    MlpHidden = "activations.mlp_hidden", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, KORTHIKANTI;
    MlpProduct = "activations.mlp_product", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, KORTHIKANTI;
    Latents = "activations.latents", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, "DeepSeek-V2, arXiv 2405.04434, section 2.1; counted from the layer";
    RouterScores = "activations.router", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, "counted from the layer: the router's softmax is computed in fp32";
    ExpertHidden = "activations.expert_hidden", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, "counted from the layer: as of a dense MLP, for each expert a token meets";
    ExpertProduct = "activations.expert_product", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, "counted from the layer: as of a dense MLP, for each expert a token meets";
    ExpertOutputs = "activations.expert_outputs", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, "counted in the autograd graph of plain modules: an expert's output times its probability";
    SharedInputs = "activations.shared_inputs", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, "counted from the layer: the shared experts' own copy of their input";
    FurtherKept = "activations.further", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept,
        "what fused kernels save for backward: chunked gated delta rule of flash-linear-attention, mamba_ssm's inner and split-scan functions; gates: the autograd graph";
    IndexerHidden = "activations.indexer", Assumed, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept,
        "counted from the module of DeepSeek-V3.2, arXiv 2512.02556, section 2.1; its scores are taken to be computed anew in backward";
    AdapterHidden = "activations.adapter_hidden", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, "counted in the autograd graph: what each adapter's second matrix reads";
    AdapterDropout = "activations.adapter_dropout", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, "counted in the autograd graph: a one-byte mask and the result";
    ProductOutputs = "activations.product_outputs", EngineRule, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, "torchtitan: every second product of a layer is kept, attention's result too";
    ExpertInputs = "activations.expert_inputs", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, "counted from the layer: one copy of a token for each expert it is sent to";
    HiddenDropout = "activations.hidden_dropout", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, KORTHIKANTI;
    Checkpoints = "activations.checkpoints", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, KORTHIKANTI;
    FirstLayer = "activations.first_layer", Exact, "n · A", [Blocks, LayerBytes], |x| x[0] * x[1], KORTHIKANTI;
    FinalNorm = "edge.final_norm", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, KORTHIKANTI;
    EmbeddingNorm = "edge.embedding_norm", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept,
        "BLOOM, arXiv 2211.05100, section 3.2.2: a LayerNorm behind the embedding";
    EmbeddingDropout = "edge.embedding_dropout", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, KORTHIKANTI;

    // Loss and backward.
    LossLogits = "loss.logits", EngineRule, "e · T · V ÷ t",
        [BytesPerElement, Tokens, Vocabulary, Tensor], |x| x[0] * x[1] * x[2] / x[3],
        "peak bytes a token and vocabulary entry of each loss, counted and measured on public implementations";
    LossWaiting = "loss.waiting", Exact, "e · T · n_m · V ÷ t",
        [BytesPerElement, Tokens, MicroBatches, Vocabulary, Tensor], |x| x[0] * x[1] * x[2] * x[3] / x[4],
        "Huang et al. 2018, GPipe, arXiv 1811.06965, section 2.3: all forward passes come before the first backward";
    PredictionLogits = "loss.prediction_logits", Exact, "e · T · n_p · V ÷ t",
        [BytesPerElement, Tokens, Predictions, Vocabulary, Tensor], |x| x[0] * x[1] * x[2] * x[3] / x[4],
        "DeepSeek-V3, arXiv 2412.19437, section 2.2: each further token has a loss of its own";
    LossHiddenGradient = "loss.hidden_gradient", Exact, "e · T · w · L ÷ d",
        [BytesPerElement, Tokens, Width, Layers, Divisor], kept, "Hsu et al. 2024, Liger Kernel, arXiv 2410.10989, section 3.2";
    RecomputedLayer = "backward.recomputed_layer", Exact, "n · A", [Blocks, LayerBytes], |x| x[0] * x[1], KORTHIKANTI;
    GatheredInput = "backward.gathered_input", Exact, "2 · e · T · h", [BytesPerElement, Tokens, Hidden],
        |x| 2.0 * x[0] * x[1] * x[2],
        "Korthikanti et al. 2022, arXiv 2205.05198, section 4.2.2; as measured over 2, 4 and 8 tensor ranks";
    GradientsInFlight = "backward.gradients_in_flight", Assumed, "e · T · ( h ÷ d_h + w_m ÷ t )",
        [BytesPerElement, Tokens, Hidden, HiddenDivisor, WidestWidth, Tensor],
        |x| x[0] * x[1] * (x[2] / x[3] + x[4] / x[5]),
        "counted from backward of one layer: gradient of the residual stream and of the widest tensor";

    // Libraries, device, allocator.
    LibraryWorkspace = "workspace.libraries", Fitted, "m", [FixedBytes], |x| x[0],
        "residual of measured over counted state in the golden values of Megatron-LM's tests";
    WeightGradientWorkspace = "workspace.weight_gradients", EngineRule, "e · S", [BytesPerElement, DistinctShapes], |x| x[0] * x[1],
        "Transformer Engine: one placeholder gradient a distinct weight shape when accumulation is fused";
    DeviceContext = "runtime.context", Fitted, "m", [FixedBytes], |x| x[0],
        "about 0.5 GiB: 0.3 to 0.55 GiB on data-centre cards in public logs";
    Communicators = "runtime.communicators", Fitted, "g_2 · m_2 + g · m_g",
        [PairGroups, PairBytes, LargeGroups, LargeBytes], |x| x[0] * x[1] + x[2] * x[3],
        "NVIDIA/nccl issue 964: 544 MiB and 688 MiB on four A100";
    AllToAll = "runtime.all_to_all", Fitted, "m", [FixedBytes], |x| x[0],
        "NVIDIA/nccl issue 1685: 1.06 GB before and 4.34 GB after the first all-to-all of eight H100";
    AllocatorSlack = "slack.allocator", Fitted, "( r - 1 ) · M", [SlackFactor, ActiveBytes], |x| (x[0] - 1.0) * x[1],
        "reserved over allocated memory in public runs: Megatron-LM 1.03 to 1.09, FSDP2 1.01 to 1.44, torchtune 1.02 to 1.14; DeepSpeed and Hugging Face: assumed";

    // Serving.
    ServedLinear = "serving.linear_weights", Exact, "β ÷ 8 · n_w", [BitsPerWeight, Weights], stored,
        "sum over the tensors of the model; bits a weight as the format's layout gives them";
    ServedRest = "serving.other_weights", Exact, "β ÷ 8 · n_w", [BitsPerWeight, Weights], stored,
        "sum over the tensors of the model";
    ServedMix = "serving.mix", Exact, "β ÷ 8 · n_w", [BitsPerWeight, Weights], stored,
        "ggml's blocks; which tensor of which layer has which: llama.cpp, src/llama-quant.cpp at 007dbbf";
    ServedScales = "serving.scales", Exact, "e · n_σ", [BytesPerElement, Scales], |x| x[0] * x[1],
        "one fp32 scale an output channel, a block of 128 × 128 or a tensor; GPTQ: a group index an input, a zero bias an output";
    RotaryTable = "serving.rotary_table", EngineRule, "e · n_s · d_k", [BytesPerElement, Positions, KeyWidth],
        |x| x[0] * x[1] * x[2],
        "vLLM issues 10517 and 17122: \"Model loading took\" is the weights and this table";
    KeyValueCache = "serving.key_value_cache", EngineRule, "e · k · ( d_k + d_v ) · c_t · R · L",
        [BytesPerElement, KeyValueHeads, KeyWidth, ValueWidth, CacheTokens, Requests, Layers],
        |x| x[0] * x[1] * (x[2] + x[3]) * x[4] * x[5] * x[6],
        "Kwon et al. 2023, PagedAttention, arXiv 2309.06180, section 3; fewer heads: Ainslie et al. 2023, arXiv 2305.13245";
    LatentCache = "serving.latent_cache", EngineRule, "e · w · c_t · R · L",
        [BytesPerElement, Width, CacheTokens, Requests, Layers], |x| x[0] * x[1] * x[2] * x[3] * x[4],
        "DeepSeek-V2, arXiv 2405.04434, section 2.1";
    MixedLatentCache = "serving.mixed_latent_cache", EngineRule, "( w + w ÷ 32 + 2 · w_r ) · c_t · R · L",
        [Width, TurningWidth, CacheTokens, Requests, Layers],
        |x| (x[0] + x[0] / 32.0 + 2.0 * x[1]) * x[2] * x[3] * x[4],
        "vLLM's cache format fp8_ds_mla, into which it turns fp8 where attention is sparse: 656 bytes a token and layer of DeepSeek-V3.2";
    CacheScales = "serving.cache_scales", EngineRule, "e_σ · c_t · R · L",
        [ScaleBytes, CacheTokens, Requests, Layers], beside,
        "ik_llama.cpp pull request 240 (8 bytes a row); LMDeploy (an fp16 scale and zero a head)";
    IndexerCache = "serving.indexer_cache", Exact, "e_i · c_t · R · L",
        [IndexBytes, CacheTokens, Requests, Layers], beside,
        "DeepSeek-V3.2, arXiv 2512.02556, section 2.1; vLLM keeps a key of 128 bytes in FP8 and an fp32 scale";
    RecurrentState = "serving.recurrent_state", Exact, "( e · n_c1 + 4 · n_st ) · n_2 · R · L",
        [BytesPerElement, ConvolutionElements, StateElements, StateCopies, Requests, Layers],
        |x| (x[0] * x[1] + 4.0 * x[2]) * x[3] * x[4] * x[5],
        "Yang et al. 2024, Gated DeltaNet, arXiv 2412.06464; Dao and Gu 2024, Mamba-2, arXiv 2405.21060; measured: llama.cpp logs of 1, 3 and 4 states";
    PrefillTensors = "serving.prefill_tensors", Assumed, "e · T_c · ( 2 · h + w_m )",
        [BytesPerElement, ChunkTokens, Hidden, WidestWidth], |x| x[0] * x[1] * (2.0 * x[2] + x[3]),
        "counted from forward of one layer: residual stream, normalised input, widest tensor";
    PrefillScores = "serving.prefill_scores", Assumed, "e · T_c · s · a ÷ t",
        [BytesPerElement, ChunkTokens, Keys, Heads, Tensor], |x| x[0] * x[1] * x[2] * x[3] / x[4],
        "counted from forward of eager attention: fp32 softmax and its 16-bit copy";
    LogitRows = "serving.logits", EngineRule, "e · n_l · V ÷ t", [BytesPerElement, LogitRows, Vocabulary, Tensor],
        |x| x[0] * x[1] * x[2] / x[3],
        "counted from the sampler: 16-bit logits and their fp32 copy, one row a request";
    SamplerRows = "serving.sampler", Fitted, "e · n_l · V ÷ t", [BytesPerElement, LogitRows, Vocabulary, Tensor],
        |x| x[0] * x[1] * x[2] / x[3],
        "fitted: 38.4 to 39.8 bytes in six start-ups of vLLM 0.11 (llm-d-planner at e50305a); not split over ranks";
    GraphTensors = "serving.graph_tensors", Fitted, "e · T_c · n · h", [BytesPerElement, ChunkTokens, Blocks, Hidden],
        |x| x[0] * x[1] * x[2] * x[3],
        "llama.cpp compute buffers of public logs: 2 beside the logits (exact), 7 to 10 beside attention";
    AttentionMask = "serving.attention_mask", EngineRule, "e · T_c · s", [BytesPerElement, ChunkTokens, Keys],
        |x| x[0] * x[1] * x[2],
        "llama.cpp compute buffers of public logs";
    TurnedCache = "serving.turned_cache", EngineRule, "e · c_t · w", [BytesPerElement, CacheTokens, Width],
        |x| x[0] * x[1] * x[2],
        "llama.cpp compute buffers of public logs with a quantised cache";
    EngineContext = "runtime.engine", Fitted, "m", [FixedBytes], |x| x[0],
        "public start-up logs of the engine; see the table of engines";
    EngineCommunicators = "runtime.engine_communicators", Fitted, "m", [FixedBytes], |x| x[0],
        "public start-up logs of the engine with several ranks; see the table of engines";
    CapturedGraphs = "runtime.graphs", Fitted, "m", [FixedBytes], |x| x[0],
        "0.52 to 0.65 GiB in start-up logs of vLLM; from below zero to 1.0 in others";
}
