//! A real log: the figures that its lines state. Lines that state none are passed over.

use std::collections::BTreeSet;

use crate::names::Engine;
use crate::units::{GIB, MIB};

use super::phrases::{BUFFERS, PHRASES, Scale};
use crate::answer::LogFigure;

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

/// A figure of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Logged {
    /// What it is.
    pub figure: LogFigure,
    /// Its value: bytes, tokens, requests, or a share.
    pub value: f64,
    /// What the last digit that was printed stands for.
    pub step: f64,
    /// The line it stands in, without blanks at its ends.
    pub line: String,
}

impl Log {
    /// What the log states of a figure, if anything.
    #[must_use]
    pub fn value(&self, figure: LogFigure) -> Option<f64> {
        self.figures.iter().find(|logged| logged.figure == figure).map(|logged| logged.value)
    }
}

/// A figure as it was found, with the device it is of.
struct Found {
    engine: Engine,
    device: String,
    logged: Logged,
}

/// Reads the text of a log. Of several ranks or devices the fullest counts: the most that one holds, and the least that
/// vLLM has left for a cache, which is what all of its ranks then take.
#[must_use]
pub fn read(text: &str) -> Log {
    let mut found = Vec::new();
    for line in text.lines() {
        by_phrases(line, &mut found);
        by_tensorrt_pool(line, &mut found);
        by_sglang_halves(line, &mut found);
        by_buffers(line, &mut found);
        by_caches(line, &mut found);
    }
    by_difference(text, &mut found);
    // Lines of a second engine, as in a comparison of two, would be held against the wrong budget.
    let engine = found.first().map(|first| first.engine);
    found.retain(|one| Some(one.engine) == engine);
    let figures = LogFigure::ALL.into_iter().filter_map(|figure| combined(figure, &found)).collect();
    let weights = found.iter().filter(|one| one.logged.figure == LogFigure::Weights && !one.device.is_empty());
    let devices = weights.map(|one| one.device.as_str()).collect::<BTreeSet<_>>().len();
    Log { engine, figures, devices }
}

fn combined(figure: LogFigure, found: &[Found]) -> Option<Logged> {
    let mut devices: Vec<(&str, Logged)> = Vec::new();
    for one in found.iter().filter(|one| one.logged.figure == figure) {
        // llama.cpp has a cache of its own for windowed layers, so a device may have several.
        let adds_up = one.engine == Engine::LlamaCpp && matches!(figure, LogFigure::Pool | LogFigure::States);
        match devices.iter_mut().find(|(device, _)| *device == one.device) {
            Some((_, sum)) if adds_up => {
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
    let least = match figure {
        LogFigure::Pool | LogFigure::Tokens => found.first().is_some_and(|first| first.engine == Engine::Vllm),
        LogFigure::Requests | LogFigure::Blocks => true,
        _ => false,
    };
    let by_value = |a: &(&str, Logged), b: &(&str, Logged)| a.1.value.total_cmp(&b.1.value);
    let chosen = if least { devices.into_iter().min_by(by_value) } else { devices.into_iter().max_by(by_value) };
    chosen.map(|(_, logged)| logged)
}

fn by_phrases(line: &str, found: &mut Vec<Found>) {
    for phrase in &PHRASES {
        let Some(from) = line.find(phrase.within).map(|at| at + phrase.within.len()) else { continue };
        let Some((value, step, _)) = after(&line[from..], phrase.before) else { continue };
        push(found, phrase.engine, "", phrase.figure, (value, step), phrase.scale, line);
    }
}

/// TensorRT-LLM: the amount stands in front of what it is of.
fn by_tensorrt_pool(line: &str, found: &mut Vec<Found>) {
    let Some((front, _)) = line.split_once("GiB for max tokens in paged KV cache") else { return };
    let Some((value, step, _)) = after(front, "Allocated") else { return };
    push(found, Engine::TensorRtLlm, "", LogFigure::Pool, (value, step), Scale::Gib, line);
}

/// SGLang: keys and values each have their size.
fn by_sglang_halves(line: &str, found: &mut Vec<Found>) {
    if !line.contains("KV Cache is allocated") {
        return;
    }
    let Some((keys, step, rest)) = after(line, "K size:") else { return };
    let Some((values, more, _)) = after(rest, "V size:") else { return };
    push(found, Engine::Sglang, "", LogFigure::Pool, (keys + values, step + more), Scale::Gib, line);
}

/// llama.cpp: the name of a device, what the buffer is for, `=`, MiB.
fn by_buffers(line: &str, found: &mut Vec<Found>) {
    for (words, figure) in BUFFERS {
        let Some(at) = line.find(words) else { continue };
        let (front, rest) = if words.ends_with(':') {
            // "llm_load_tensors: CUDA0 buffer size = 12698.93 MiB", without a word of the model.
            let Some((device, rest)) = line[at + words.len()..].split_once(" buffer size") else { continue };
            if device.trim().contains(' ') {
                continue;
            }
            (device, rest)
        } else {
            (&line[..at], &line[at + words.len()..])
        };
        let Some(device) = front.split_whitespace().next_back() else { continue };
        let Some((value, step, _)) = after(rest, "=") else { continue };
        let on_host = device.starts_with("CPU") || device.ends_with("_Host");
        let figure = match figure {
            LogFigure::Weights if on_host => LogFigure::HostWeights,
            // Other buffers in host memory are no part of a GPU's account.
            _ if on_host => continue,
            figure => figure,
        };
        push(found, Engine::LlamaCpp, device, figure, (value, step), Scale::Mib, line);
    }
}

/// llama.cpp: a whole cache, over all devices, with its cells.
fn by_caches(line: &str, found: &mut Vec<Found>) {
    let Some((_, rest)) = line.split_once("llama_kv_cache") else { return };
    let Some((_, rest)) = rest.split_once(": size =") else { return };
    let Some((value, step, rest)) = number(rest) else { return };
    push(found, Engine::LlamaCpp, "", LogFigure::Pool, (value, step), Scale::Mib, line);
    if let Some((cells, step, rest)) = after(rest, "(")
        && rest.trim_start().starts_with("cells")
    {
        push(found, Engine::LlamaCpp, "", LogFigure::Cells, (cells, step), Scale::One, line);
    }
}

/// Older versions of SGLang print only what is free before and after the weights are loaded.
fn by_difference(text: &str, found: &mut Vec<Found>) {
    let has_weights = |one: &Found| one.engine == Engine::Sglang && one.logged.figure == LogFigure::Weights;
    if found.iter().any(has_weights) {
        return;
    }
    let free = |words: &str| {
        let line = text.lines().find(|line| line.contains(words))?;
        after(line, "avail mem=").map(|(value, step, _)| (value, step, line))
    };
    let (Some((before, one, _)), Some((behind, other, line))) = (free("Load weight begin"), free("Load weight end"))
    else {
        return;
    };
    if before > behind {
        push(found, Engine::Sglang, "", LogFigure::Weights, (before - behind, one + other), Scale::Gib, line);
    }
}

fn push(
    found: &mut Vec<Found>,
    engine: Engine,
    device: &str,
    figure: LogFigure,
    (value, step): (f64, f64),
    scale: Scale,
    line: &str,
) {
    let unit = match scale {
        Scale::Gib => GIB,
        Scale::Mib => MIB,
        Scale::One => 1.0,
    };
    let logged = Logged { figure, value: value * unit, step: step * unit, line: line.trim().to_owned() };
    found.push(Found { engine, device: device.to_owned(), logged });
}

/// The number right behind `words`, what its last digit stands for, and what follows it.
fn after<'a>(line: &'a str, words: &str) -> Option<(f64, f64, &'a str)> {
    number(line.split_once(words)?.1)
}

/// The number a text begins with. Digits may be in groups of three; more than fifteen are no figure of a log.
fn number(text: &str) -> Option<(f64, f64, &str)> {
    let text = text.trim_start();
    let (mut value, mut decimals, mut digits, mut end) = (0.0, None, 0, 0);
    let mut bytes = text.bytes().enumerate().peekable();
    while let Some((at, byte)) = bytes.next() {
        let digit_follows = bytes.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        match byte {
            b'0'..=b'9' => {
                value = value * 10.0 + f64::from(byte - b'0');
                digits += 1;
                decimals = decimals.map(|count: i32| count + 1);
            }
            b'.' if decimals.is_none() && digit_follows => decimals = Some(0),
            // Groups part only whole numbers.
            b',' if decimals.is_none() && digits > 0 && digit_follows => {}
            _ => break,
        }
        end = at + 1;
    }
    if digits == 0 || digits > 15 {
        return None;
    }
    let step = (0..decimals.unwrap_or(0)).fold(1.0, |step, _| step * 10.0);
    Some((value / step, 1.0 / step, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(text: &str) -> Vec<(LogFigure, f64)> {
        read(text).figures.iter().map(|logged| (logged.figure, logged.value)).collect()
    }

    #[test]
    fn numbers_as_logs_have_them() {
        assert_eq!(number("  14.9888 GiB"), Some((14.9888, 0.0001, " GiB")));
        assert_eq!(number("178,880 tokens"), Some((178_880.0, 1.0, " tokens")));
        assert_eq!(number("9798, # CPU blocks"), Some((9798.0, 1.0, ", # CPU blocks")));
        assert_eq!(number("1.57GiB."), Some((1.57, 0.01, "GiB.")));
        assert_eq!(number("23.35."), Some((23.35, 0.01, ".")));
        assert_eq!((number("GiB"), number(""), number("-1")), (None, None, None));
        assert_eq!(number("1234567890123456"), None);
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
