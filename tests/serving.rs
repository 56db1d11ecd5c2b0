//! Serving by engine, worked by hand: what a request costs, what a budget leaves, what an engine logs.

mod support;

use support::report_of;
use vram_ledger::answer::Collective;
use vram_ledger::ledger::{Account, Rule};
use vram_ledger::report::InferenceReport;

const GIB: f64 = 1_073_741_824.0;

#[track_caller]
fn served(json: &str) -> InferenceReport {
    report_of(json).inference.unwrap_or_else(|| panic!("{json} is not served"))
}

/// The account of a scenario with these fields of `inference`.
#[track_caller]
fn held(model: &str, gpus: u64, inference: &str, account: Account) -> f64 {
    let json = format!(r#"{{"model":"{model}","cluster":{{"gpus":{gpus}}},"inference":{{{inference}}}}}"#);
    served(&json).accounts[account].get()
}

#[test]
fn a_group_has_its_scale_and_its_zero() {
    // 6,979,321,856 linear weights of Llama 3 8B; the rest in bf16.
    let (linear, all) = (6_979_321_856.0, 8_030_261_248.0);
    let rest = 2.0 * (all - linear);
    let weights = |format: &str| held("llama-3-8b", 1, &format!(r#""weights":"{format}""#), Account::Weights);
    assert_eq!(weights("int4-g128"), linear * 4.15625 / 8.0 + rest);
    assert_eq!(weights("nf4"), linear * 4.5 / 8.0 + rest);
    // 32 layers of seven matrices, an fp32 scale each.
    assert_eq!(weights("nvfp4"), linear * 4.5 / 8.0 + 4.0 * 224.0 + rest);
    // Without experts MXFP4 takes what other formats take.
    assert_eq!(weights("mxfp4"), linear * 4.25 / 8.0 + rest);
    // A scale for each of 2·4096 + 2·1024 + 2·14336 + 4096 outputs of 32 layers.
    assert_eq!(weights("int8"), linear + 4.0 * 32.0 * 43_008.0 + rest);
    let inputs = 32.0 * (6.0 * 4096.0 + 14_336.0);
    assert_eq!(weights("gptq-g128"), linear * 4.15625 / 8.0 + 4.0 * inputs + 2.0 * 32.0 * 43_008.0 + rest);
}

#[test]
fn a_mix_falls_back_where_a_row_is_no_whole_number_of_blocks() {
    // Qwen2.5 0.5B: rows of 896 and 4,864 are multiples of 32 and not, for 896, of 256.
    let bits = |format: &str| {
        let weights = held("qwen2.5-0.5b", 1, &format!(r#""weights":"{format}""#), Account::Weights);
        8.0 * weights / 494_032_768.0
    };
    assert!(bits("gguf-q4_k_m") > 5.5, "{}", bits("gguf-q4_k_m"));
    assert!(bits("gguf-q4_0") < bits("gguf-q4_k_m"));
    assert!(bits("gguf-q8_0") > 8.5 && bits("gguf-q8_0") < 8.52);
    assert!(bits("gguf-f16") > 16.0);
}

#[test]
fn experts_are_spread_or_cut_whichever_is_more() {
    let weights = |fields: &str| held("mixtral-8x7b", 8, fields, Account::Weights);
    let cut = weights(r#""tensor":8"#);
    assert_eq!(weights(r#""tensor":8,"expert":8"#), cut);
    // With attention whole on every GPU only experts, embedding and head are divided.
    let by_request = weights(r#""tensor":8,"expert":8,"data_parallel_attention":true"#);
    let attention = 32.0 * (2.0 * 4096.0 * 4096.0 + 2.0 * 4096.0 * 1024.0);
    assert_eq!(by_request - cut, 2.0 * attention * 7.0 / 8.0);
    // Over the GPUs of several replicas: each has an eighth of the experts and all of the rest.
    let experts = 2.0 * 32.0 * 8.0 * 3.0 * 4096.0 * 14_336.0;
    assert_eq!(weights(r#""tensor":1"#) - weights(r#""tensor":1,"expert":8"#), experts * 7.0 / 8.0);
}

#[test]
fn a_stage_has_its_layers_and_one_end() {
    let weights =
        |pipeline: u64| held("llama-3.1-8b", 4, &format!(r#""tensor":1,"pipeline":{pipeline}"#), Account::Weights);
    let layer = 2.0 * 4096.0 * 4096.0 + 2.0 * 4096.0 * 1024.0 + 3.0 * 4096.0 * 14_336.0 + 2.0 * 4096.0;
    let head = 128_256.0 * 4096.0 + 4096.0;
    assert_eq!(weights(4), 2.0 * (8.0 * layer + head));
    let cache = |pipeline: u64| {
        held("llama-3.1-8b", 4, &format!(r#""tensor":1,"concurrency":4,"pipeline":{pipeline}"#), Account::KvCache)
    };
    // One replica of four stages has all four requests, a quarter of the layers each.
    assert_eq!(cache(4), cache(1));
}

#[test]
fn latents_are_copied_on_every_rank_unless_attention_is_split_by_request() {
    let cache = |tensor: u64, more: &str| {
        held("deepseek-v3", 8, &format!(r#""tensor":{tensor},"concurrency":8,"context":4096{more}"#), Account::KvCache)
    };
    let request = 61.0 * 576.0 * 2.0 * 4096.0;
    assert_eq!(cache(8, ""), 8.0 * request);
    assert_eq!(cache(8, r#","data_parallel_attention":true"#), request);
    assert_eq!(cache(8, r#","mla":"expanded""#), 8.0 * 61.0 * 16.0 * (192.0 + 128.0) * 2.0 * 4096.0);
}

#[test]
fn a_shared_prefix_is_held_once_in_whole_blocks() {
    let cache = |fields: &str| held("llama-3.1-8b", 1, fields, Account::KvCache);
    let token = 131_072.0;
    let shared = cache(r#""context":4096,"concurrency":10,"shared_prefix":1000"#);
    // 62 blocks of 16 are whole.
    assert_eq!(shared, token * (992.0 + 10.0 * (4096.0 - 992.0)));
    assert_eq!(cache(r#""context":4096,"concurrency":1,"shared_prefix":1000"#), token * 4096.0);
    let slots = r#""engine":"llama.cpp","kv_unified":true,"context":4096,"concurrency":10,"shared_prefix":1024"#;
    assert_eq!(cache(slots), token * (1024.0 + 10.0 * 3072.0));
}

#[test]
fn what_a_window_keeps_is_the_engines_choice() {
    let cache = |engine: &str, more: &str| {
        let fields = format!(r#""engine":"{engine}","context":8192,"prefill_chunk":512{more}"#);
        held("gemma-3-4b", 1, &fields, Account::KvCache) / (2.0 * 2.0 * 4.0 * 256.0)
    };
    let full = 5.0 * 8192.0;
    assert_eq!(cache("textbook", ""), full + 29.0 * 1024.0);
    assert_eq!(cache("llama.cpp", ""), full + 29.0 * 1536.0);
    assert_eq!(cache("llama.cpp", r#","swa_full":true"#), 34.0 * 8192.0);
    assert_eq!(cache("sglang", ""), 34.0 * 8192.0);
    // Six groups of five layers, one of which is not there; 1023 + 512 tokens and a block more.
    assert_eq!(cache("vllm", ""), full + 30.0 * (1536.0 + 16.0));
}

#[test]
fn formats_with_scales_beside_the_rows_count_them() {
    let cache = |fields: &str| held("llama-3.1-8b", 1, fields, Account::KvCache);
    let rows = 4096.0 * 32.0 * 2.0;
    assert_eq!(cache(r#""kv":"int4""#), rows * 8.0 * (64.0 + 4.0));
    assert_eq!(cache(r#""kv":"q8_kv""#), rows * (1024.0 + 8.0));
    assert_eq!(cache(r#""kv":"iq4_nl""#), rows * 1024.0 * 18.0 / 32.0);
}

/// A GPU of 80 GiB, so that shares of it are easy to see.
fn on_80_gib(inference: &str) -> InferenceReport {
    served(&format!(
        r#"{{"model":"llama-3.1-8b","cluster":{{"gpu":{{"memory_bytes":{},"bandwidth":3e12,
            "peak_flops":{{"bf16":1e15}}}}}},"inference":{{{inference}}}}}"#,
        80.0 * GIB
    ))
}

#[test]
fn nine_tenths_are_of_something_else_in_every_engine() {
    let token = 131_072.0;
    let of = |engine: &str, fields: &str| on_80_gib(&format!(r#""engine":"{engine}"{fields}"#));
    let pool = |report: &InferenceReport| report.kv_capacity_tokens * token;
    let others = |report: &InferenceReport| report.peak.device_bytes.get() - report.accounts[Account::KvCache].get();
    let near = |a: f64, b: f64| assert!((a - b).abs() <= 256.0 * token, "{a} {b}");

    let vllm = of("vllm", r#","cuda_graphs":false"#);
    near(pool(&vllm), 0.9 * 80.0 * GIB - others(&vllm));
    let captured = of("vllm", "");
    assert_eq!(captured.kv_capacity_tokens, vllm.kv_capacity_tokens, "graphs are outside the budget");
    assert_eq!(captured.accounts[Account::Runtime].get() - vllm.accounts[Account::Runtime].get(), 0.5 * GIB);

    let sglang = of("sglang", r#","memory_fraction":0.9"#);
    near(pool(&sglang), 0.9 * 80.0 * GIB - sglang.accounts[Account::Weights].get());
    let trt = of("tensorrt-llm", "");
    near(pool(&trt), 0.9 * (80.0 * GIB - others(&trt)));
    assert_eq!(trt.maximum_concurrency.fract(), 0.0);
    let llama_cpp = of("llama.cpp", "");
    near(pool(&llama_cpp), 80.0 * GIB - others(&llama_cpp));
    // A pool that was given is the pool.
    assert_eq!(pool(&of("vllm", r#","kv_cache_bytes":1342177280"#)), 1_342_177_280.0);
}

#[test]
fn engines_log_what_the_ledger_says() {
    let report = on_80_gib(r#""engine":"vllm","context":16384,"kv_cache_bytes":6442450944"#);
    assert_eq!(
        report.log,
        [
            "Model loading took 14.9888 GiB",
            "Available KV cache memory: 6.00 GiB",
            "GPU KV cache size: 49,152 tokens",
            "Maximum concurrency for 16,384 tokens per request: 3.00x",
            "Graph capturing finished, took 0.50 GiB",
        ]
    );
    let report = on_80_gib(r#""engine":"sglang","kv_cache_bytes":6442450944"#);
    assert_eq!(
        report.log,
        [
            // Its rotary table is in fp32, so it holds a little more than vLLM.
            "Load weight end. mem usage=15.02 GB.",
            "KV Cache is allocated. #tokens: 49152, K size: 3.00 GB, V size: 3.00 GB",
            "Capture cuda graph end. mem usage=0.50 GB.",
        ]
    );
    let report = on_80_gib(r#""engine":"tensorrt-llm","kv_cache_bytes":6442450944"#);
    assert_eq!(
        report.log,
        [
            "Memory used after loading model weights (inside torch) in memory usage profiling: 14.96 GiB",
            "Allocated 6.00 GiB for max tokens in paged KV cache (49152).",
        ]
    );
    let report = on_80_gib(r#""engine":"llama.cpp","weights":"gguf-f16","context":8192,"prefill_chunk":512"#);
    assert_eq!(report.log[1], "CUDA0 KV buffer size = 1024.00 MiB");
    // One row of logits is less than the mask and eight hidden states: 512 · (2 · 8192 + 8 · 4 · 4096).
    assert_eq!(report.log[2], "CUDA0 compute buffer size = 72.00 MiB");
    assert!(on_80_gib(r#""engine":"transformers""#).log.is_empty());
}

#[test]
fn what_is_short_counts_what_the_budget_keeps_back() {
    // Weights, sampler and context of vLLM leave 52 GiB of its 72; one request of 500,000 tokens takes 61.
    let report = on_80_gib(r#""engine":"vllm","context":500000"#);
    assert!(!report.fits && report.peak.device_bytes.get() < report.needed_bytes.get());
    let kept_back = 0.1 * 80.0 * GIB - 0.5 * GIB;
    assert_eq!(report.needed_bytes.get() - report.peak.device_bytes.get(), kept_back.round());
    let textbook = on_80_gib(r#""context":500000"#);
    assert_eq!(textbook.needed_bytes, textbook.peak.device_bytes);
}

#[test]
fn a_cache_larger_than_the_gpu_has_room_for_does_not_fit() {
    assert!(on_80_gib(r#""engine":"vllm","kv_cache_bytes":5e10"#).fits);
    assert!(!on_80_gib(r#""engine":"vllm","kv_cache_bytes":7e10"#).fits);
    // Nor does one that the requests outgrow.
    assert!(!on_80_gib(r#""engine":"vllm","kv_cache_bytes":1e9,"context":16384"#).fits);
}

#[test]
fn a_state_is_kept_again_for_each_drafted_token() {
    let model = r#"{"model_type":"qwen3_next","head_dim":256,"hidden_size":2048,"intermediate_size":5120,
        "linear_conv_kernel_dim":4,"linear_key_head_dim":128,"linear_num_key_heads":16,"linear_num_value_heads":32,
        "linear_value_head_dim":128,"moe_intermediate_size":512,"num_attention_heads":16,"num_experts":512,
        "num_experts_per_tok":10,"num_hidden_layers":48,"num_key_value_heads":2,
        "shared_expert_intermediate_size":512,"vocab_size":151936}"#;
    let cache = |draft: u64, tensor: u64| {
        let json = format!(
            r#"{{"model":{model},"cluster":{{"gpus":8}},"inference":{{"context":16,"tensor":{tensor},"draft_tokens":{draft}}}}}"#
        );
        served(&json).accounts[Account::KvCache].get()
    };
    let (state, tokens) = (77_266_944.0, 16.0 * 24_576.0);
    assert_eq!(cache(0, 1), state + tokens);
    assert_eq!(cache(3, 1), 4.0 * state + tokens);
    assert_eq!(cache(0, 2), (state + tokens) / 2.0);
}

#[test]
fn llama_cpp_and_transformers_place_layers_unless_ranks_are_asked_for() {
    let of = |gpus: u64, model: &str, inference: &str| {
        let cluster = format!(r#"{{"gpu":"rtx-3090","gpus":{gpus},"gpus_per_node":8}}"#);
        served(&format!(r#"{{"model":"{model}","cluster":{cluster},"inference":{{{inference}}}}}"#))
    };
    let reduces = |report: &InferenceReport| report.traffic.iter().any(|line| line.collective == Collective::AllReduce);
    let mixed = r#""engine":"llama.cpp","weights":"gguf-q4_k_m""#;
    let placed = of(2, "llama-3.1-70b", mixed);
    assert_eq!((placed.tensor, placed.replicas, placed.minimum_gpus), (1, 1, Some(2)));
    assert!(!reduces(&placed) && placed.fits);
    let rows = of(2, "llama-3.1-70b", &format!(r#"{mixed},"tensor":2"#));
    assert!(rows.tensor == 2 && reduces(&rows));
    // One GPU after the other reads all the weights: a step is no shorter than on a card that held them.
    assert!(rows.decode_seconds.0 < 0.7 * placed.decode_seconds.0);
    // The fullest of three stages has 11 of 32 layers; a layer keeps 4,096 bytes a token.
    for engine in ["llama.cpp", "transformers"] {
        let uneven = of(3, "llama-3.1-8b", &format!(r#""engine":"{engine}","context":4096"#));
        assert_eq!((uneven.tensor, uneven.replicas), (1, 1));
        assert_eq!(uneven.accounts[Account::KvCache].get(), 11.0 * 4096.0 * 4096.0);
        // No GPU waits for another at a communicator.
        let context = if engine == "llama.cpp" { 0.3 } else { 0.5 };
        assert!((uneven.accounts[Account::Runtime].get() / GIB - context).abs() < 1e-9);
    }
    // A process has the GPUs of its node; further nodes have copies.
    let nodes = of(16, "llama-3.1-8b", r#""engine":"llama.cpp""#);
    assert_eq!((nodes.tensor, nodes.replicas), (1, 2));
    // A step of all requests passes one GPU after the other: two take no longer than one but for what they keep.
    let [one, many] = [1, 2].map(|requests| {
        of(2, "llama-3.1-8b", &format!(r#""engine":"transformers","context":128,"concurrency":{requests}"#))
    });
    assert!(many.decode_seconds.0 < 1.01 * one.decode_seconds.0);
}

#[test]
fn sparse_attention_keeps_a_row_of_its_own_in_fp8_under_vllm() {
    let of = |engine: &str, kv: &str| {
        served(&format!(
            r#"{{"model":"deepseek-v3.2","cluster":{{"gpus":8}},"inference":{{"engine":"{engine}","kv":"{kv}"}}}}"#
        ))
    };
    // 512 bytes, four fp32 scales and 64 elements of two bytes, in each of 61 layers; beside it 128 bytes and a scale.
    let vllm = of("vllm", "fp8");
    assert_eq!(vllm.kv_bytes_per_token.get(), 61.0 * 656.0);
    assert_eq!(vllm.kv_bytes_per_token.get(), 40_016.0);
    assert_eq!(vllm.indexer_bytes_per_token.get(), 61.0 * 132.0);
    let entry = vllm.entries.iter().find(|entry| entry.rule == Rule::MixedLatentCache).expect("the rows");
    assert_eq!(entry.bytes.get(), 40_016.0 * 4096.0);
    assert_eq!(of("sglang", "fp8").kv_bytes_per_token.get(), 61.0 * 576.0);
    assert_eq!(of("vllm", "bf16").kv_bytes_per_token.get(), 61.0 * 1152.0);
}

#[test]
fn lmdeploy_takes_its_share_of_what_the_weights_leave() {
    let of = |fields: &str| on_80_gib(&format!(r#""engine":"lmdeploy"{fields}"#));
    // 8,030,261,248 weights of two bytes and 0.13 GiB outside; 80 GiB less both is 69,699,236,987 bytes, of which 0.8 are
    // 6,647 blocks of 64 tokens of 131,072 bytes.
    let report = of("");
    assert_eq!(report.accounts[Account::Weights].get(), 16_060_522_496.0);
    assert_eq!(report.accounts[Account::Runtime].get(), (0.13 * GIB).round());
    assert_eq!(report.kv_capacity_tokens, 6_647.0 * 64.0);
    assert_eq!(report.log, ["Object cache budget: 53176.30 MB from free 66470.37 MB and ratio 0.800"]);
    // Half as much is half as much, whatever a pass takes: longer chunks leave the pool as it is.
    assert_eq!(of(r#","memory_fraction":0.4"#).kv_capacity_tokens, 3_323.0 * 64.0);
    assert_eq!(of(r#","prefill_chunk":16384"#).kv_capacity_tokens, report.kv_capacity_tokens);
    // A request of 65 tokens has two blocks.
    let cache = |fields: &str| of(fields).accounts[Account::KvCache].get();
    assert_eq!(cache(r#","context":65"#), 128.0 * 131_072.0);
    // 32 layers, keys and values of 8 heads of 128; a scale and a zero of two bytes a head.
    assert_eq!(cache(r#","context":64,"kv":"int8""#), 64.0 * 32.0 * 2.0 * 8.0 * (128.0 + 4.0));
    assert_eq!(cache(r#","context":64,"kv":"int4""#), 64.0 * 32.0 * 2.0 * 8.0 * (64.0 + 4.0));
}
