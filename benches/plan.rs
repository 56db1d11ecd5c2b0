//! How many layouts a second a planner judges: a figure to watch, not a gate. Most are settled by a bound; how many are
//! timed in full is printed beside it.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use vram_ledger::Scenario;
use vram_ledger::planner::{Planner, Schedules};

fn plans(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("plan");
    group.sample_size(10);
    for (name, json) in [
        (
            "8B, 64 GPUs",
            r#"{"model":"llama-3.1-8b","cluster":{"gpus":64},"training":{"sequence":8192,"global_batch":128}}"#,
        ),
        (
            "405B, 16,384 GPUs",
            r#"{"model":"llama-3.1-405b","framework":"megatron-core","cluster":{"gpus":16384},
                "training":{"sequence":8192,"global_batch":2048}}"#,
        ),
        (
            "DeepSeek-V3, 2,048 GPUs",
            r#"{"model":"deepseek-v3","framework":"megatron-core","cluster":{"gpus":2048},
                "training":{"sequence":4096,"global_batch":15360}}"#,
        ),
    ] {
        let scenario = Scenario::from_json(json).expect("the scenario is in range");
        let plan = || {
            let mut planner = Planner::new(&scenario, Schedules::Common).expect("a planner");
            while !planner.advance(u64::from(u16::MAX)).is_complete() {}
            planner
        };
        let counts = plan().counts();
        println!("{name}: {counts:?}");
        group.throughput(Throughput::Elements(counts.considered));
        group.bench_function(name, |bencher| bencher.iter(|| black_box(plan())));
    }
    group.finish();
}

criterion_group!(benches, plans);
criterion_main!(benches);
