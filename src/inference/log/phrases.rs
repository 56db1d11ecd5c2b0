//! The phrases by which lines of a log are recognised: one table, from which the page also says what is looked for.
//!
//! Each was seen in public logs of the engine; only the fixed words around a number stand here.

use crate::names::Engine;

use crate::answer::LogFigure;

/// In what a number of a line is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// GiB, also where the engine writes GB: all of them divide by 2^30.
    Gib,
    /// MiB.
    Mib,
    /// One by one.
    One,
}

/// A number of a line: it stands right behind `before`, in a line that has `within` too.
#[derive(Clone, Copy, Debug)]
pub struct Phrase {
    /// Whose line it is.
    pub engine: Engine,
    /// What else stands in the line, in front of `before`; empty where nothing has to.
    pub within: &'static str,
    /// What the number follows.
    pub before: &'static str,
    /// What the number is.
    pub figure: LogFigure,
    /// In what it is given.
    pub scale: Scale,
}

const fn phrase(engine: Engine, within: &'static str, before: &'static str, figure: LogFigure, scale: Scale) -> Phrase {
    Phrase { engine, within, before, figure, scale }
}

/// The phrases of engines whose lines state figures of one rank. llama.cpp names the device in front of its phrases:
/// see [`BUFFERS`].
pub static PHRASES: [Phrase; 31] = {
    use Engine::{LlamaCpp, Sglang, TensorRtLlm, Vllm};
    use LogFigure::*;
    use Scale::{Gib, One};
    [
        // V0 says "model weights take", V1 "Model loading took"; in between it was "Loading model weights took".
        phrase(Vllm, "", "Model loading took", Weights, Gib),
        phrase(Vllm, "", "Loading model weights took", Weights, Gib),
        phrase(Vllm, "", "model weights take", Weights, Gib),
        phrase(Vllm, "", "Available KV cache memory:", Pool, Gib),
        phrase(Vllm, "", "the rest of the memory reserved for KV Cache is", Pool, Gib),
        phrase(Vllm, "", "GPU KV cache size:", Tokens, One),
        phrase(Vllm, "", "# GPU blocks:", Blocks, One),
        phrase(Vllm, "", "Maximum concurrency for", Context, One),
        phrase(Vllm, "Maximum concurrency for", "tokens per request:", Requests, One),
        phrase(Vllm, "Graph capturing finished", "took", Graphs, Gib),
        phrase(Vllm, "", "PyTorch activation peak memory takes", Workspace, Gib),
        phrase(Vllm, "", "non_torch_memory takes", Outside, Gib),
        phrase(Vllm, "", "total_gpu_memory (", Device, Gib),
        phrase(Vllm, "", "gpu_memory_utilization (", Fraction, One),
        phrase(Sglang, "Load weight end", "mem usage=", Weights, Gib),
        phrase(Sglang, "KV Cache is allocated", "#tokens:", Tokens, One),
        phrase(Sglang, "KV Cache is allocated", "KV size:", Pool, Gib),
        phrase(Sglang, "", "max_total_num_tokens=", Tokens, One),
        phrase(Sglang, "max_total_num_tokens=", "context_len=", Context, One),
        phrase(Sglang, "Capture cuda graph end", "mem usage=", Graphs, Gib),
        phrase(Sglang, "CUDA graph end", "mem usage=", Graphs, Gib),
        phrase(TensorRtLlm, "Memory used after loading model weights (inside torch)", ":", Weights, Gib),
        phrase(TensorRtLlm, "Memory used after loading model weights (outside torch)", ":", Outside, Gib),
        phrase(TensorRtLlm, "Memory dynamically allocated during inference (inside torch)", ":", Workspace, Gib),
        phrase(TensorRtLlm, "fraction is set", "device total memory", Device, Gib),
        phrase(TensorRtLlm, "KV cache", "fraction is set", Fraction, One),
        phrase(TensorRtLlm, "", "for max tokens in paged KV cache (", Tokens, One),
        phrase(LlamaCpp, "n_ctx_seq", "=", Context, One),
        phrase(LlamaCpp, "n_ctx_per_seq", "=", Context, One),
        phrase(LlamaCpp, "n_seq_max", "=", Slots, One),
        phrase(LlamaCpp, "KV self size", "=", Pool, Scale::Mib),
    ]
};

/// What follows the name of a device in llama.cpp, in MiB. The oldest lines say nothing of the model.
pub static BUFFERS: [(&str, LogFigure); 5] = [
    ("model buffer size", LogFigure::Weights),
    ("KV buffer size", LogFigure::Pool),
    ("RS buffer size", LogFigure::States),
    ("compute buffer size", LogFigure::Workspace),
    ("llm_load_tensors:", LogFigure::Weights),
];

/// What is looked for in the log of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looked {
    /// The engine.
    pub engine: Engine,
    /// The fixed beginning of a line's figure.
    pub words: &'static str,
}

const fn looked(engine: Engine, words: &'static str) -> Looked {
    Looked { engine, words }
}

/// What is looked for, for whoever pasted something else: the lines of today's versions, by engine.
pub static LOOKED_FOR: [Looked; 16] = [
    looked(Engine::Vllm, "Model loading took"),
    looked(Engine::Vllm, "Available KV cache memory:"),
    looked(Engine::Vllm, "GPU KV cache size:"),
    looked(Engine::Vllm, "Maximum concurrency for"),
    looked(Engine::Vllm, "Graph capturing finished"),
    looked(Engine::Vllm, "# GPU blocks:"),
    looked(Engine::Sglang, "Load weight end."),
    looked(Engine::Sglang, "KV Cache is allocated."),
    looked(Engine::Sglang, "max_total_num_tokens="),
    looked(Engine::Sglang, "Capture cuda graph end."),
    looked(Engine::TensorRtLlm, "Memory used after loading model weights"),
    looked(Engine::TensorRtLlm, "for max tokens in paged KV cache"),
    looked(Engine::LlamaCpp, "model buffer size ="),
    looked(Engine::LlamaCpp, "KV buffer size ="),
    looked(Engine::LlamaCpp, "compute buffer size ="),
    looked(Engine::LlamaCpp, "llama_kv_cache: size ="),
];
