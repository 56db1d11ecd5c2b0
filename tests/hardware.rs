//! The catalogues of accelerators and links hold together.

use std::collections::HashSet;

use vram_ledger::hardware::{
    CapacityBasis, Generation, Scope, accelerator_rows, accelerators, accelerators_by_memory, find_accelerator,
    find_link, link_rows, links, networks,
};
use vram_ledger::names::Name;

#[test]
fn ids_are_unique_and_found() {
    let mut seen = HashSet::new();
    for accelerator in accelerators() {
        assert!(seen.insert(accelerator.id), "{} appears twice", accelerator.id);
        assert_eq!(find_accelerator(accelerator.id), Some(accelerator));
    }
    for link in links() {
        assert!(seen.insert(link.id), "{} appears twice", link.id);
        assert_eq!(find_link(link.id), Some(link));
    }
    assert_eq!(find_accelerator("h100"), None);
    assert_eq!(find_link(""), None);
}

#[test]
fn the_accelerators_people_ask_for_are_there() {
    for id in [
        "a100-sxm-40gb",
        "a100-sxm-80gb",
        "h100-sxm-80gb",
        "h200-sxm-141gb",
        "b200-sxm-180gb",
        "l40s",
        "rtx-4090",
        "mi300x",
    ] {
        assert!(find_accelerator(id).is_some(), "{id} is missing");
    }
}

#[test]
fn every_row_has_a_source() {
    for accelerator in accelerator_rows() {
        let sources: Vec<_> = accelerator.sources().collect();
        assert!(!sources.is_empty(), "{} has no source", accelerator.id);
        for (figures, publication) in sources {
            assert!(!figures.is_empty() && !publication.is_empty(), "{}", accelerator.id);
            // Whoever has nothing but memory to go by must say so of every figure.
            if publication == "no published source was read" {
                assert!(accelerator.unverified.iter().any(|field| field == "bandwidth"), "{}", accelerator.id);
                assert!(accelerator.unverified.iter().any(|field| field == "memory_vendor_gb"), "{}", accelerator.id);
            }
        }
    }
    for link in link_rows() {
        assert!(link.sources().count() > 0, "{} has no source", link.id);
        assert!(
            link.sources().all(|source| source != "no published source was read") || link.unverified,
            "{}",
            link.id
        );
    }
}

#[test]
fn every_source_key_is_in_its_table() {
    // A key missing from the table would silently leave its source out of `sources()`.
    for text in [include_str!("../src/hardware/accelerators.json"), include_str!("../src/hardware/links.json")] {
        let file: serde_json::Value = serde_json::from_str(text).unwrap();
        let known: HashSet<_> = file["sources"].as_object().unwrap().keys().collect();
        let mut used = HashSet::new();
        for row in file["rows"].as_array().unwrap() {
            match &row["sources"] {
                serde_json::Value::Object(map) => used.extend(map.keys().cloned()),
                list => used.extend(list.as_array().unwrap().iter().map(|key| key.as_str().unwrap().to_owned())),
            }
        }
        assert_eq!(used.iter().collect::<HashSet<_>>(), known);
    }
}

#[test]
fn every_key_of_a_row_is_known() {
    // Rows of models are read by a structure that refuses others.
    let known = |read: Vec<serde_json::Value>, text: &str| {
        let file: serde_json::Value = serde_json::from_str(text).unwrap();
        for (read, written) in read.iter().zip(file["rows"].as_array().unwrap()) {
            for key in written.as_object().unwrap().keys() {
                assert!(read.get(key).is_some(), "{}: {key} is not read", written["id"]);
            }
        }
    };
    let rows = accelerator_rows().iter().map(|row| serde_json::to_value(row).unwrap());
    known(rows.collect(), include_str!("../src/hardware/accelerators.json"));
    let rows = link_rows().iter().map(|row| serde_json::to_value(row).unwrap());
    known(rows.collect(), include_str!("../src/hardware/links.json"));
}

#[test]
fn every_accelerator_has_sane_figures() {
    for accelerator in accelerator_rows() {
        let id = accelerator.id;
        assert!((8.0..=1024.0).contains(&accelerator.memory_vendor_gb), "{id}");
        assert!((1e11..=3e13).contains(&accelerator.bandwidth), "{id}");
        let capacity = accelerator.capacity_bytes() as f64;
        // A vendor's "GB" is 10^9 or 2^30 bytes, less what driver and error correction take.
        let sold = accelerator.memory_vendor_gb;
        assert!((0.93 * sold * 1e9..=sold * (1_u64 << 30) as f64).contains(&capacity), "{id}: {capacity} of {sold} GB");
        if let (Some(tool), Some(torch)) = (accelerator.memory_tool_mib, accelerator.memory_torch_gib) {
            assert!(torch * 1024.0 <= tool, "{id}: the framework sees more than the tool");
        }

        let peak = accelerator.peak_flops;
        let rates = [peak.fp32, peak.tf32, peak.bf16, peak.fp16, peak.fp8, peak.int8, peak.fp4];
        assert!(rates.iter().flatten().all(|rate| (1e12..=1e17).contains(rate)), "{id}");
        assert!(peak.bf16.or(peak.fp16).is_some(), "{id} has no 16-bit rate");
        if let (Some(bf16), Some(fp16)) = (peak.bf16, peak.fp16) {
            assert!(fp16 <= bf16, "{id}: fp16 is never the faster of the two");
        }
        for (wide, narrow) in [(peak.fp32, peak.fp16), (peak.bf16, peak.fp8), (peak.fp8, peak.fp4)] {
            if let (Some(wide), Some(narrow)) = (wide, narrow) {
                assert!(wide <= narrow, "{id}: fewer bits and slower");
            }
        }
        let matmul = accelerator.matmul_efficiency;
        for (share, peak) in [(matmul.bf16, peak.bf16), (matmul.fp8, peak.fp8)] {
            if let Some(share) = share {
                assert!((0.3..=1.0).contains(&share) && peak.is_some(), "{id}");
            }
        }
        for field in &accelerator.unverified {
            let present = match field.as_str() {
                "memory_vendor_gb" | "bandwidth" | "generation" => true,
                "memory_tool_mib" => accelerator.memory_tool_mib.is_some(),
                "scale_up" => accelerator.link().is_some(),
                "fp32" => peak.fp32.is_some(),
                "tf32" => peak.tf32.is_some(),
                "bf16" => peak.bf16.is_some(),
                "fp16" => peak.fp16.is_some(),
                "fp8" => peak.fp8.is_some(),
                "int8" => peak.int8.is_some(),
                "fp4" => peak.fp4.is_some(),
                other => panic!("{id}: {other} is no figure"),
            };
            assert!(present, "{id}: {field} is unverified but not given");
        }
    }
}

#[test]
fn every_generation_is_of_one_vendor() {
    for generation in Generation::ALL {
        let of_it = accelerators().iter().filter(|accelerator| accelerator.generation == *generation);
        let vendors: HashSet<_> = of_it.map(|accelerator| accelerator.vendor).collect();
        assert_eq!(vendors.len(), 1, "{}: {vendors:?}", generation.name());
    }
}

#[test]
fn every_accelerator_stands_in_a_domain_its_link_joins() {
    let text = include_str!("../src/hardware/accelerators.json");
    let file: serde_json::Value = serde_json::from_str(text).unwrap();
    for (accelerator, row) in accelerators().iter().zip(file["rows"].as_array().unwrap()) {
        match row["link"].as_str() {
            Some(id) => {
                let link = accelerator.link().unwrap_or_else(|| panic!("{}: no link {id}", accelerator.id));
                assert_eq!((link.id, link.scope), (id, Scope::ScaleUp));
                assert!(accelerator.domain >= 1);
            }
            None => assert_eq!((accelerator.link(), accelerator.domain), (None, 1), "{}", accelerator.id),
        }
    }
}

#[test]
fn every_link_has_sane_figures() {
    for link in link_rows() {
        let id = link.id;
        assert!((1e9..=1e13).contains(&link.bandwidth), "{id}");
        assert_eq!(link.achieved_share.is_some(), link.measured_on.is_some(), "{id}: a share without its measurement");
        assert!(link.achieved_share.is_none_or(|share| (0.1..=1.1).contains(&share)), "{id}");
        assert!(link.latency_seconds.is_none_or(|latency| (1e-7..=1e-3).contains(&latency)), "{id}");
    }
    assert!(networks().any(|network| network.id == "ib-ndr-400"));
    assert!(networks().all(|network| network.scope == Scope::ScaleOut));
}

#[test]
fn capacity_is_what_the_framework_sees_where_that_is_known() {
    let capacity = |id| {
        let accelerator = find_accelerator(id).unwrap();
        (accelerator.capacity_basis(), accelerator.capacity_bytes())
    };
    // 79.1 GiB reported by PyTorch; 196,592 MiB printed by the tool; sold as 192 GB and nothing else known.
    assert_eq!(capacity("h100-sxm-80gb"), (CapacityBasis::Framework, 84_932_978_278));
    assert_eq!(capacity("mi300x"), (CapacityBasis::Tool, 206_141_652_992));
    assert_eq!(capacity("b100-192gb"), (CapacityBasis::Vendor, 192_000_000_000));
}

#[test]
fn the_slider_runs_in_order_of_memory() {
    let order = accelerators_by_memory();
    assert_eq!(order.len(), accelerators().len());
    assert!(order.windows(2).all(|pair| pair[0].capacity_bytes() <= pair[1].capacity_bytes()));
}
