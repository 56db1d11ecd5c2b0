//! What the bytes of each rule of the ledger are.

use crate::ledger::Rule;

/// What the bytes of a rule are.
pub fn rule(rule: Rule) -> &'static str {
    match rule {
        Rule::StateWeights => "The weights that forward and backward compute with. ZeRO-3 divides them by the shards.",
        Rule::StateGradients => {
            "One gradient a parameter, kept until the optimiser step. ZeRO-2 and above divide them by the shards."
        }
        Rule::StateMasterWeights => {
            "A copy of the weights in fp32. An update much smaller than its weight is rounded away in 16 bits, so it is added here."
        }
        Rule::StateMomentum => {
            "The running mean of the gradient. Each step adds a tenth of the new gradient, which 16 bits would often round away."
        }
        Rule::StateVariance => {
            "The running mean of the squared gradient. Each step adds a thousandth or less of the new square."
        }
        Rule::StateExperts => {
            "The experts' share of this account. Each rank holds some experts whole; those that hold the same ones are a data-parallel group of their own, smaller than the others'."
        }
        Rule::LargestGradient => {
            "Where each tensor is updated as soon as its gradient is there, one gradient exists at a time."
        }
        Rule::NewGradient => {
            "The newest weight gradient, before it is added up. Kernels that add it up themselves do without."
        }
        Rule::AdapterWeights => {
            "Two matrices of a low rank beside each adapted one. They alone have gradients and moments."
        }
        Rule::FrozenQuantised => "Frozen matrices of attention and MLP in NF4 with its scales.",
        Rule::FrozenRest => "Frozen embedding, head, norms and biases, which are not quantised.",
        Rule::Dequantised => "The one frozen matrix that is being multiplied with, turned back into 16 bits.",
        Rule::MomentsBlockwise8bit => {
            "One moment in 8 bits with an fp32 scale a block; tensors under 4,096 elements stay in fp32."
        }
        Rule::MomentsOneDimension => {
            "One moment of each hidden matrix projected onto one dimension, and one number beside it; the rest keep theirs whole."
        }
        Rule::VarianceFactored => {
            "The second moment of a matrix as one row and one column of fp32 sums; vectors keep theirs whole."
        }
        Rule::StepTemporaries => {
            "What an update makes before it changes the weights: of all tensors at once, or of one tensor at a time. A fused step does without."
        }
        Rule::VarianceOutsideMuon => {
            "Muon needs no second moment for hidden matrices; embeddings, head, norms and biases are left to Adam and keep theirs."
        }
        Rule::GatheredWeights => {
            "Sharded weights are put together while a layer computes: the layer at work, the one fetched ahead, and embedding and head."
        }
        Rule::SecondaryPartition => {
            "A second copy of the weights in every node, shared out among its ranks, from which backward gathers."
        }
        Rule::UnshardedGradients => {
            "Gradients of the layers at work, whole until they are reduced and scattered to their shards."
        }
        Rule::WaitingGradients => {
            "Gradients of a whole stage, which wait for the last micro-batch before they are scattered."
        }
        Rule::LiveParameters => "Sharded weights that are whole at once, up to a limit, and those fetched ahead.",
        Rule::Buckets => "Flat buffers through which gradients and weights travel.",
        Rule::PipelineBuffers => "What comes in from the stage before and from the stage behind.",
        Rule::ContextBuffers => {
            "What attention takes in from other context ranks: two blocks of keys and values in a ring, all of them in an all-gather, one of queries, keys and values in an all-to-all."
        }
        Rule::NormInputs => "What each norm read; its backward needs it.",
        Rule::NormUpcast => {
            "A norm of plain modules keeps its input in fp32 and the normalised values beside its output."
        }
        Rule::NormOutputs => "Inputs of the first products of attention and MLP; the weight gradients need them.",
        Rule::HeadNormInputs => "Queries and keys before the norm over each head.",
        Rule::QueriesKeysValues => "Queries, keys and values; attention's backward needs all three.",
        Rule::SoftmaxStatistics => {
            "One fp32 number a token and head, from which flash attention recomputes its scores block by block."
        }
        Rule::AttentionScores => {
            "The softmax of every query against every key. It grows with the square of the sequence."
        }
        Rule::ScoreDropout => "Mask (one byte) and result (two) of the dropout on attention scores.",
        Rule::AttentionOutput => "Input of the output projection.",
        Rule::ExchangedOutput => "Attention's output by heads, before the all-to-all that brings it back to tokens.",
        Rule::MlpHidden => {
            "Input of the MLP's activation function: gate and up of a gated MLP, one tensor of a plain one."
        }
        Rule::MlpProduct => "Input of the down projection.",
        Rule::ExpertInputs => "Tokens copied to the experts they are routed to.",
        Rule::Latents => {
            "The narrow vectors of latent attention: what their norms read, and what they give to the products that spread them out."
        }
        Rule::RouterScores => "The probability of each expert for each token.",
        Rule::ExpertHidden => "Inputs of the activation function inside the experts.",
        Rule::ExpertProduct => "Inputs of the experts' down projections.",
        Rule::ExpertOutputs => "What experts gave; the gradient of the router's probabilities needs it.",
        Rule::SharedInputs => "Input of the shared experts.",
        Rule::FurtherKept => {
            "What layers of a special kind keep: linear attention, a state space, a gate on attention's output, an MLP of another width."
        }
        Rule::IndexerHidden => "Queries, key and head weights of the indexer, and the input of its key's norm.",
        Rule::AdapterHidden => "The low-rank vector in the middle of each adapter.",
        Rule::AdapterDropout => "Mask and result of the dropout before each adapter, which has a copy of its own.",
        Rule::ProductOutputs => "Results of the products that recomputation by operator does not repeat.",
        Rule::HiddenDropout => "One-byte masks of the two dropouts on the residual stream.",
        Rule::Checkpoints => "With full recomputation only each layer's input is kept.",
        Rule::FirstLayer => "What the layer whose backward comes last still keeps.",
        Rule::EmbeddingNorm => "Input of the norm behind the embedding.",
        Rule::FinalNorm => "Input and output of the norm before the head.",
        Rule::EmbeddingDropout => "One-byte mask of the dropout on the embedding.",
        Rule::LossLogits => {
            "Logits and what the loss makes of them. A fused loss turns them into their gradient in place; an eager one holds fp32 copies."
        }
        Rule::PredictionLogits => {
            "What the losses of further tokens keep for their backward, each as many logits as the first."
        }
        Rule::LossHiddenGradient => {
            "A loss computed together with the head holds the gradient of the hidden states instead of the logits."
        }
        Rule::LossWaiting => "What the losses of earlier micro-batches keep until their backward begins.",
        Rule::RecomputedLayer => "What recomputation brings back, one layer at a time.",
        Rule::GatheredInput => {
            "With sequence parallelism a product's input is whole again for its weight gradient, and so is the gradient it hands on until that is scattered."
        }
        Rule::GradientsInFlight => "Gradients of activations on their way through a layer.",
        Rule::LibraryWorkspace => "Workspaces of matrix libraries inside the framework's allocator.",
        Rule::WeightGradientWorkspace => "Placeholder gradients that fused accumulation hands to autograd.",
        Rule::DeviceContext => "The device context and loaded kernels, outside the allocator.",
        Rule::Communicators => "Buffers of each communicator, outside the allocator.",
        Rule::AllToAll => "Buffers that the first all-to-all makes, one for each pair of ranks.",
        Rule::AllocatorSlack => "Memory the allocator holds in pieces it cannot use.",
        Rule::ServedLinear => "Matrices of attention and MLP, in the format served.",
        Rule::ServedRest => "Embedding, head, norms and biases, which quantised formats leave in 16 bits.",
        Rule::ServedMix => "Tensors of a GGUF file in one block format of its mix; norms and biases have 32 bits.",
        Rule::ServedScales => "What turns quantised weights back into numbers, beside their groups.",
        Rule::RotaryTable => "Sines and cosines of every position, which the engine keeps with the weights.",
        Rule::CacheScales => "Scales of a quantised cache that lie beside its rows.",
        Rule::IndexerCache => {
            "Keys by which an indexer picks the tokens that attention looks at, of every token of every request; every tensor rank has all of them."
        }
        Rule::RecurrentState => {
            "What linear attention or a state space keeps of all past tokens: the last inputs of its convolution, and a matrix a head in fp32; one copy more for each drafted token."
        }
        Rule::SamplerRows => {
            "Logits in fp32, sorted, and probabilities, for the most sequences of a batch: what vLLM's trial pass ends with."
        }
        Rule::GraphTensors => "Hidden states that are there at the same moment of the graph.",
        Rule::AttentionMask => "Which of the cells each token of a micro-batch sees.",
        Rule::TurnedCache => "Keys and values of one layer turned back into 16 bits before attention reads them.",
        Rule::EngineContext => "Device context, kernels and what else the engine has outside its tensors.",
        Rule::EngineCommunicators => "Buffers of the communicators between ranks.",
        Rule::CapturedGraphs => "Captured graphs, made when the cache is there.",
        Rule::KeyValueCache => {
            "Keys and values of every token of every request, in whole blocks; of a windowed layer no more than the engine keeps."
        }
        Rule::LatentCache => {
            "The narrow vector that keys and values are made from, and the turning part of the keys, of every token of every request; every tensor rank has all of it."
        }
        Rule::MixedLatentCache => {
            "The narrow vector in FP8 with an fp32 scale for 128 elements, and the turning part of the keys in 16 bits, of every token of every request; every tensor rank has all of it."
        }
        Rule::PrefillTensors => "Live tensors while one chunk of a prompt is computed.",
        Rule::PrefillScores => "Scores of eager attention, one layer at a time.",
        Rule::LogitRows => "Logits of the tokens that are sampled.",
    }
}
