//! Numbers as they are shown. The same in both languages: digits, a point, groups of three, units of the SI.

use vram_ledger::ledger;
use vram_ledger::units::{self, Bytes, GIB, Seconds};

/// The unit memory is shown in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryUnit {
    /// 10^9 bytes, as vendors and papers count.
    #[default]
    Gigabytes,
    /// 2^30 bytes, as tools print.
    Gibibytes,
}

impl MemoryUnit {
    /// How it is written.
    pub fn sign(self) -> &'static str {
        match self {
            MemoryUnit::Gigabytes => "GB",
            MemoryUnit::Gibibytes => "GiB",
        }
    }

    /// Bytes in one.
    pub fn bytes(self) -> f64 {
        match self {
            MemoryUnit::Gigabytes => 1e9,
            MemoryUnit::Gibibytes => GIB,
        }
    }

    /// An amount without its unit, for columns and labels whose unit stands elsewhere.
    pub fn figure(self, bytes: Bytes) -> String {
        figure(bytes.get() / self.bytes())
    }

    /// An amount with a unit of its own size, for what may be a few bytes or a thousand gigabytes.
    pub fn any_amount(self, bytes: Bytes) -> String {
        let (step, signs) = match self {
            MemoryUnit::Gigabytes => (1000.0, ["B", "kB", "MB", "GB", "TB"]),
            MemoryUnit::Gibibytes => (1024.0, ["B", "KiB", "MiB", "GiB", "TiB"]),
        };
        let mut value = bytes.get();
        let mut sign = 0;
        while value >= step && sign < signs.len() - 1 {
            value /= step;
            sign += 1;
        }
        format!("{} {}", if sign == 0 { grouped(value) } else { figure(value) }, signs[sign])
    }

    /// An amount with its unit.
    pub fn amount(self, bytes: Bytes) -> String {
        format!("{} {}", self.figure(bytes), self.sign())
    }
}

/// Three significant digits, whole numbers in full, and never more than three decimals.
pub fn figure(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if value < 0.000_5 {
        return "< 0.001".to_owned();
    }
    let decimals = match value {
        // The limits are where rounding would add a digit.
        v if v >= 99.95 => return grouped(v),
        v if v >= 9.995 => 1,
        v if v >= 0.0995 => 2,
        _ => 3,
    };
    format!("{value:.decimals$}")
}

/// The nearest whole number, digits in groups of three.
pub fn grouped(value: f64) -> String {
    if value == f64::INFINITY { "∞".to_owned() } else { ledger::grouped(&format!("{value:.0}")) }
}

/// A parameter count: short where the short form is exact, else to the last parameter.
pub fn parameters(count: f64) -> String {
    for (size, sign) in [(1e12, "T"), (1e9, "B"), (1e6, "M")] {
        if count >= size {
            let short = figure(count / size);
            // Exact if nothing is left beyond the decimals that are shown.
            let decimals = short.split_once('.').map_or(0, |(_, decimals)| decimals.len());
            let last = (0..decimals).fold(size, |size, _| size / 10.0);
            if (count / last).fract() == 0.0 {
                return format!("{short} {sign}");
            }
            break;
        }
    }
    grouped(count)
}

/// A duration in the largest unit that leaves at least one before the point; minutes and hours from ten and two of them.
pub fn seconds(duration: Seconds) -> String {
    let value = duration.0;
    let (size, sign) = match value {
        0.0 => (1.0, "s"),
        v if v >= 7200.0 => (3600.0, "h"),
        v if v >= 600.0 => (60.0, "min"),
        v if v >= 0.9995 => (1.0, "s"),
        v if v >= 0.9995e-3 => (1e-3, "ms"),
        _ => (1e-6, "µs"),
    };
    format!("{} {sign}", figure(value / size))
}

/// A share in percent; what is there but rounds to nothing is said to be less than one.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent > 0.0 && percent < 0.5 { "< 1 %".to_owned() } else { format!("{percent:.0} %") }
}

/// A number without zeros behind the point, at most two decimals.
pub fn trimmed(value: f64) -> String {
    units::trimmed(value, 2)
}

/// A length or a place in a drawing, as a share of its width.
pub fn of_width(share: f64) -> String {
    units::trimmed(share * 100.0, 3) + "%"
}

/// A length in tokens on a slider's scale: 128, 1k, 1M, in powers of two.
pub fn tokens_tick(tokens: f64) -> String {
    const K: f64 = 1024.0;
    match tokens {
        t if t >= K * K => trimmed(t / K / K) + "M",
        t if t >= K => trimmed(t / K) + "k",
        t => trimmed(t),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits() {
        for (value, text) in [
            (0.0, "0"),
            (0.0001, "< 0.001"),
            (0.02, "0.020"),
            (0.54, "0.54"),
            (1.75, "1.75"),
            (9.999, "10.0"),
            (14.0, "14.0"),
            (99.97, "100"),
            (131.4, "131"),
            (16_000.4, "16,000"),
            (999_999.6, "1,000,000"),
        ] {
            assert_eq!(figure(value), text, "{value}");
        }
    }

    #[test]
    fn units_stay_apart() {
        let bytes = Bytes::whole(85e9);
        assert_eq!(MemoryUnit::Gigabytes.amount(bytes), "85.0 GB");
        assert_eq!(MemoryUnit::Gibibytes.amount(bytes), "79.2 GiB");
        assert_eq!(MemoryUnit::Gigabytes.any_amount(Bytes::whole(4_720_000.0)), "4.72 MB");
        assert_eq!(MemoryUnit::Gibibytes.any_amount(Bytes::whole(1536.0)), "1.50 KiB");
        assert_eq!(MemoryUnit::Gibibytes.any_amount(Bytes::ZERO), "0 B");
    }

    #[test]
    fn counts_are_exact_in_a_field() {
        assert_eq!(parameters(7e9), "7.00 B");
        assert_eq!(parameters(8_030_261_248.0), "8,030,261,248");
        assert_eq!(parameters(1.2e8), "120 M");
        assert_eq!(parameters(1e12), "1.00 T");
        assert_eq!(parameters(7_001_000_000.0), "7,001,000,000");
    }

    #[test]
    fn durations_and_shares() {
        assert_eq!(seconds(Seconds(0.0)), "0 s");
        assert_eq!(seconds(Seconds(0.7412)), "741 ms");
        assert_eq!(seconds(Seconds(75.31)), "75.3 s");
        assert_eq!(seconds(Seconds(3.2e-5)), "32.0 µs");
        assert_eq!(percent(0.0), "0 %");
        assert_eq!(percent(0.001), "< 1 %");
        assert_eq!(percent(0.123), "12 %");
    }
}
