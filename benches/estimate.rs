//! How long one estimate takes: a figure to watch, not a gate.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use vram_ledger::{Scenario, estimate};

fn estimates(criterion: &mut Criterion) {
    for (name, json) in [
        ("opening state", "{}"),
        ("8 shards of ZeRO-3", r#"{"cluster":{"gpus":8},"training":{"sharding":"zero3"}}"#),
        (
            "70B, tensor 8, 512 GPUs",
            r#"{"model":"llama-3.1-70b","cluster":{"gpus":512},"training":{"tensor":8,"sharding":"zero3"}}"#,
        ),
    ] {
        let scenario = Scenario::from_json(json).expect("the scenario is in range");
        criterion.bench_function(name, |bencher| bencher.iter(|| estimate(black_box(&scenario))));
    }
}

criterion_group!(benches, estimates);
criterion_main!(benches);
