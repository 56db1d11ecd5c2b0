//! A short name for some bytes: not a signature, only something that changes when they do.

/// FNV-1a, 64 bits, as hexadecimal digits. The standard library's hasher may change with the compiler; a name in a
/// cache or an address must not.
pub fn name_of(parts: &[&[u8]]) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in parts.iter().copied().flatten() {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::name_of;

    #[test]
    fn agrees_with_the_published_values_of_fnv_1a() {
        assert_eq!(name_of(&[]), "cbf29ce484222325");
        assert_eq!(name_of(&[b"a"]), "af63dc4c8601ec8c");
        assert_eq!(name_of(&[b"foo", b"bar"]), "85944171f73967e8");
    }
}
