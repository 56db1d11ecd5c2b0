//! A real log: the figures that its lines state. Lines that state none are passed over.

use std::collections::BTreeSet;

use crate::answer::LogFigure;
use crate::engines::log::{Logged, Stated};
use crate::names::{Engine, Name};

/// What a log states.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    /// The engine whose lines they are, where there is a line that only one has.
    pub engine: Option<Engine>,
    /// Each figure once, in the order of [`LogFigure::ALL`].
    pub figures: Vec<Logged>,
    /// How many devices have weights by name; 0 where none is named.
    pub devices: usize,
}

impl Log {
    /// What the log states of a figure, if anything.
    #[must_use]
    pub fn value(&self, figure: LogFigure) -> Option<f64> {
        self.figures.iter().find(|logged| logged.figure == figure).map(|logged| logged.value)
    }
}

/// What is looked for in the log of each engine that prints such lines.
pub fn looked_for() -> impl Iterator<Item = (Engine, &'static [&'static str])> {
    let words = |engine: &Engine| (*engine, engine.reading().looked_for);
    Engine::ALL.iter().map(words).filter(|(_, words)| !words.is_empty())
}

/// A figure as it was found, in whose line.
struct Found {
    engine: Engine,
    stated: Stated,
}

/// Reads the text of a log. Of several ranks or devices the fullest counts: the most that one holds, and the least of what
/// then holds for all of them.
#[must_use]
pub fn read(text: &str) -> Log {
    let mut found: Vec<Found> = Vec::new();
    let mut stated = Vec::new();
    for line in text.lines() {
        for engine in Engine::ALL {
            engine.reading().read(line, &mut stated);
            found.extend(stated.drain(..).map(|stated| Found { engine: *engine, stated }));
        }
    }
    for engine in Engine::ALL {
        let whole = engine.reading().text.and_then(|read| read(text));
        let is_stated =
            |of: &Stated| found.iter().any(|one| one.engine == *engine && one.stated.logged.figure == of.logged.figure);
        if let Some(stated) = whole.filter(|stated| !is_stated(stated)) {
            found.push(Found { engine: *engine, stated });
        }
    }
    // Lines of a second engine, as in a comparison of two, would be held against the wrong budget.
    let engine = found.first().map(|first| first.engine);
    let stated: Vec<Stated> =
        found.into_iter().filter(|one| Some(one.engine) == engine).map(|one| one.stated).collect();
    let figures = engine.map_or(Vec::new(), |engine| {
        LogFigure::ALL.into_iter().filter_map(|figure| combined(figure, engine, &stated)).collect()
    });
    let weights = stated.iter().filter(|one| one.logged.figure == LogFigure::Weights && !one.device.is_empty());
    let devices = weights.map(|one| one.device.as_str()).collect::<BTreeSet<_>>().len();
    Log { engine, figures, devices }
}

fn combined(figure: LogFigure, engine: Engine, stated: &[Stated]) -> Option<Logged> {
    let reading = engine.reading();
    let mut devices: Vec<(&str, Logged)> = Vec::new();
    for one in stated.iter().filter(|one| one.logged.figure == figure) {
        match devices.iter_mut().find(|(device, _)| *device == one.device) {
            Some((_, sum)) if reading.adds_up.contains(&figure) => {
                sum.value += one.logged.value;
                sum.line = format!("{}\n{}", sum.line, one.logged.line);
            }
            _ => devices.push((&one.device, one.logged.clone())),
        }
    }
    // Where devices are named, a sum over all of them says less about one.
    if devices.iter().any(|(device, _)| !device.is_empty()) {
        devices.retain(|(device, _)| !device.is_empty());
    }
    let least = matches!(figure, LogFigure::Requests | LogFigure::Blocks) || reading.least.contains(&figure);
    let by_value = |a: &(&str, Logged), b: &(&str, Logged)| a.1.value.total_cmp(&b.1.value);
    let chosen = if least { devices.into_iter().min_by(by_value) } else { devices.into_iter().max_by(by_value) };
    chosen.map(|(_, logged)| logged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::{GIB, MIB};

    fn figures(text: &str) -> Vec<(LogFigure, f64)> {
        read(text).figures.iter().map(|logged| (logged.figure, logged.value)).collect()
    }

    #[test]
    fn vllm_of_today() {
        use LogFigure::*;
        let log = "(EngineCore pid=1) INFO 10-06 12:00:40 [gpu_model_runner.py:1] Model loading took 14.9888 GiB memory and 2.2 seconds\n\
                   (Worker_TP0 pid=2) INFO [gpu_worker.py:2] Available KV cache memory: 53.25 GiB\n\
                   (Worker_TP1 pid=3) INFO [gpu_worker.py:2] Available KV cache memory: 53.00 GiB\n\
                   INFO [kv_cache_utils.py:3] GPU KV cache size: 436,224 tokens\n\
                   INFO [kv_cache_utils.py:4] Maximum concurrency for 131,072 tokens per request: 3.33x\n\
                   INFO [gpu_model_runner.py:5] Graph capturing finished in 8 secs, took 0.50 GiB\n";
        let expected = [
            (Weights, 14.9888 * GIB),
            (Pool, 53.0 * GIB),
            (Tokens, 436_224.0),
            (Context, 131_072.0),
            (Requests, 3.33),
            (Graphs, 0.5 * GIB),
        ];
        assert_eq!(figures(log), expected);
        assert_eq!(read(log).engine, Some(Engine::Vllm));
    }

    #[test]
    fn vllm_of_old() {
        use LogFigure::*;
        let log = "the current vLLM instance can use total_gpu_memory (23.50GiB) x gpu_memory_utilization (0.99) = 23.27GiB\n\
                   model weights take 21.25GiB; non_torch_memory takes 0.25GiB; PyTorch activation peak memory takes 0.50GiB; the rest of the memory reserved for KV Cache is 1.50GiB.\n\
                   INFO 11-21 distributed_gpu_executor.py:57] # GPU blocks: 1381, # CPU blocks: 819\n\
                   Maximum concurrency for 2048 tokens per request: 10.79x";
        let expected = [
            (Device, 23.5 * GIB),
            (Fraction, 0.99),
            (Weights, 21.25 * GIB),
            (Workspace, 0.5 * GIB),
            (Outside, 0.25 * GIB),
            (Pool, 1.5 * GIB),
            (Blocks, 1381.0),
            (Context, 2048.0),
            (Requests, 10.79),
        ];
        assert_eq!(figures(log), expected);
    }

    #[test]
    fn sglang_with_both_halves_with_one_and_by_difference() {
        use LogFigure::*;
        let log = "[2025-08-13 TP0] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.50 GB, mem usage=15.25 GB.\n\
                   [2025-08-13 TP0] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 367404, K size: 8.25 GB, V size: 8.25 GB\n\
                   Capture cuda graph end. Time elapsed: 54.61 s. mem usage=1.50 GB. avail mem=8.16 GB.\n\
                   max_total_num_tokens=367404, chunked_prefill_size=8192, context_len=131072, available_gpu_mem=8.16 GB";
        let expected = [
            (Weights, 15.25 * GIB),
            (Pool, 16.5 * GIB),
            (Tokens, 367_404.0),
            (Context, 131_072.0),
            (Graphs, 1.5 * GIB),
        ];
        assert_eq!(figures(log), expected);
        let latent = "KV Cache is allocated. #tokens: 314304, KV size: 29.25 GB";
        assert_eq!(figures(latent), [(Pool, 29.25 * GIB), (Tokens, 314_304.0)]);
        let old = "Load weight begin. avail mem=78.50 GB\nLoad weight end. type=A, dtype=B, avail mem=63.25 GB";
        assert_eq!(figures(old), [(Weights, 15.25 * GIB)]);
    }

    #[test]
    fn tensorrt_llm() {
        use LogFigure::*;
        let log = "[TRT-LLM] [I] Memory used after loading model weights (inside torch) in memory usage profiling: 15.00 GiB\n\
                   [TRT-LLM] [I] Memory used after loading model weights (outside torch) in memory usage profiling: 1.75 GiB\n\
                   [TensorRT-LLM][INFO] [MemUsageChange] Allocated 54.25 GiB for max tokens in paged KV cache (444416).";
        let expected = [(Weights, 15.0 * GIB), (Outside, 1.75 * GIB), (Pool, 54.25 * GIB), (Tokens, 444_416.0)];
        assert_eq!(figures(log), expected);
    }

    #[test]
    fn llama_cpp_with_two_caches_and_two_devices() {
        use LogFigure::*;
        let log = "load_tensors:   CPU_Mapped model buffer size =   540.00 MiB\n\
                   load_tensors:        CUDA0 model buffer size =  3500.25 MiB\n\
                   load_tensors:        CUDA1 model buffer size =  3313.50 MiB\n\
                   llama_kv_cache:      CUDA0 KV buffer size =  1088.00 MiB\n\
                   llama_kv_cache: size = 2176.00 MiB (262144 cells,   8 layers,  1/1 seqs), K (q8_0): 1088.00 MiB\n\
                   llama_kv_cache:      CUDA0 KV buffer size =   127.50 MiB\n\
                   llama_kv_cache: size =  255.00 MiB (  1536 cells,  40 layers,  1/1 seqs), K (q8_0): 127.50 MiB\n\
                   llama_memory_recurrent:      CUDA0 RS buffer size =    77.00 MiB\n\
                   sched_reserve:      CUDA0 compute buffer size =   560.00 MiB\n\
                   sched_reserve:  CUDA_Host compute buffer size =   532.00 MiB";
        let expected = [
            (Weights, 3500.25 * MIB),
            (HostWeights, 540.0 * MIB),
            (Workspace, 560.0 * MIB),
            (Pool, 1215.5 * MIB),
            (States, 77.0 * MIB),
            (Cells, 262_144.0),
        ];
        assert_eq!(figures(log), expected);
        let old = "llm_load_tensors:     CUDA14 buffer size = 12698.50 MiB\nllama_new_context_with_model: KV self size  =  144.00 MiB, K (f16): 72.00 MiB";
        assert_eq!(figures(old), [(Weights, 12_698.5 * MIB), (Pool, 144.0 * MIB)]);
    }

    #[test]
    fn what_is_no_log_states_nothing() {
        for text in ["", "hello", "Model loading took", "GPU KV cache size: many tokens", "= = ( : 显存"] {
            assert_eq!(read(text), Log::default(), "{text}");
        }
    }
}
