//! What belongs to the page and not to the question: language, unit, theme, view, embedding. It stands in the query.

use vram_ledger::link::{percent_decode, percent_encode};
use vram_ledger::refusal::{FieldError, Problem};
use vram_ledger::words::{Language, Text};

use crate::page::format::MemoryUnit;

/// The page's own settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The views that can be chosen from.
    pub tabs: &'static [Tab],
    /// The language shown.
    pub language: Language,
    /// The unit of memory.
    pub unit: MemoryUnit,
    /// Light or dark; without a choice the system's.
    pub theme: Option<Theme>,
    /// The view below the card, by its place among them.
    pub view: usize,
    /// Bars, sliders and verdict alone, for an iframe.
    pub embed: bool,
    /// Parts of the query that are somebody else's, kept as they are.
    foreign: Vec<String>,
}

/// Light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark ink on light paper.
    Light,
    /// Light ink on dark paper.
    Dark,
}

impl Theme {
    /// Both.
    pub const ALL: [Theme; 2] = [Theme::Light, Theme::Dark];

    /// The name in the query and in the attribute that the style sheet reads.
    pub fn id(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }
}

/// A view below the card, as those know it who do not draw it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tab {
    /// The name in the query and in element ids.
    pub id: &'static str,
    /// What its tab says.
    pub name: Text,
    /// Whether a button in the head of the page leads to it as well.
    pub in_header: bool,
}

/// What an embedding page may ask to be shown; it is what an embedded page shows anyway.
const BARS: &str = "bars";

impl Settings {
    /// Settings with nothing chosen but the language: the first of the views, the usual unit, the system's colours.
    pub fn in_language(language: Language, tabs: &'static [Tab]) -> Settings {
        Settings {
            tabs,
            language,
            unit: MemoryUnit::default(),
            theme: None,
            view: 0,
            embed: false,
            foreign: Vec::new(),
        }
    }

    /// The chosen view.
    pub fn tab(&self) -> &'static Tab {
        &self.tabs[self.view]
    }

    /// Reads a query; what it leaves out is as in `self`. Keys that are not the page's are kept, whatever they hold.
    ///
    /// # Errors
    /// Names a key of the page whose value is none of the allowed ones; every other setting still counts.
    pub fn read(mut self, query: &str) -> (Settings, Option<FieldError>) {
        let mut refused = None;
        self.foreign.clear();
        for pair in query.trim_start_matches('?').split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = percent_decode(value).unwrap_or_else(|_| value.to_owned());
            let known = match key {
                "lang" => pick(&mut self.language, Language::from_tag(&value), &["en", "zh"]),
                "unit" => pick(&mut self.unit, unit_named(&value), &["GB", "GiB"]),
                "theme" => {
                    let theme = Theme::ALL.into_iter().find(|theme| theme.id() == value);
                    pick(&mut self.theme, theme.map(Some), &["light", "dark"])
                }
                "view" if value == BARS => Ok(()),
                "view" => {
                    let view = self.tabs.iter().position(|tab| tab.id == value);
                    let ids: Vec<&str> = self.tabs.iter().map(|tab| tab.id).chain([BARS]).collect();
                    pick(&mut self.view, view, &ids)
                }
                "embed" => {
                    let embed = ["0", "1"].iter().position(|known| *known == value).map(|index| index == 1);
                    pick(&mut self.embed, embed, &["0", "1"])
                }
                _ => {
                    self.foreign.push(pair.to_owned());
                    Ok(())
                }
            };
            if let Err(allowed) = known {
                let problem = Problem::Unknown { given: value, allowed };
                refused.get_or_insert_with(|| FieldError::new(key.to_owned(), problem));
            }
        }
        (self, refused)
    }

    /// Writes the query, `?` included, with what differs from a visit without one. The language is left out where it is
    /// `usual`.
    pub fn query(&self, usual: Option<Language>) -> String {
        let mut pairs: Vec<String> = self.foreign.clone();
        let mut differs = |key: &str, differs: bool, value: &str| {
            if differs {
                let mut pair = format!("{key}=");
                percent_encode(value, |byte| byte.is_ascii_alphanumeric() || byte == b'-', &mut pair);
                pairs.push(pair);
            }
        };
        differs("embed", self.embed, "1");
        differs("lang", usual != Some(self.language), self.language.short());
        differs("unit", self.unit != MemoryUnit::default(), self.unit.sign());
        differs("theme", self.theme.is_some(), self.theme.map_or("", Theme::id));
        differs("view", self.view != 0, self.tab().id);
        if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) }
    }
}

fn unit_named(name: &str) -> Option<MemoryUnit> {
    [MemoryUnit::Gigabytes, MemoryUnit::Gibibytes].into_iter().find(|unit| unit.sign().eq_ignore_ascii_case(name))
}

/// Makes the choice where it is one; where it is none, the error lists what is `allowed`.
fn pick<T>(setting: &mut T, choice: Option<T>, allowed: &[&str]) -> Result<(), String> {
    choice.map(|choice| *setting = choice).ok_or_else(|| allowed.join(", "))
}

#[cfg(test)]
mod tests {
    use vram_ledger::text;

    use super::*;

    const TABS: &[Tab] = &[
        Tab { id: "first", name: text!(head::LIGHT), in_header: false },
        Tab { id: "second", name: text!(head::DARK), in_header: false },
    ];

    fn usual() -> Settings {
        Settings::in_language(Language::English, TABS)
    }

    #[test]
    fn a_query_comes_back_as_it_was() {
        let usual = usual();
        let query = "?utm_source=a%20b&embed=1&lang=zh&unit=GiB&theme=dark&view=second";
        let (settings, refused) = usual.clone().read(query);
        assert_eq!(refused, None);
        assert!(settings.embed && settings.tab().id == "second" && settings.theme == Some(Theme::Dark));
        assert_eq!(settings.query(Some(Language::English)), query);
        assert_eq!(usual.query(Some(Language::English)), "");
        assert_eq!(usual.query(None), "?lang=en");
    }

    #[test]
    fn other_spellings_are_read() {
        let (settings, refused) = usual().read("lang=zh-CN&unit=gib&view=bars&embed=1");
        assert_eq!(refused, None);
        assert_eq!((settings.language, settings.unit), (Language::Chinese, MemoryUnit::Gibibytes));
    }

    #[test]
    fn a_wrong_value_is_named_and_the_rest_counts() {
        let (settings, refused) = usual().read("?view=all&unit=GiB&theme=%F0");
        let refused = refused.expect("a view that is none").to_string();
        assert!(
            refused.contains("view") && refused.contains("all") && refused.contains("first, second, bars"),
            "{refused}"
        );
        assert_eq!(settings.unit, MemoryUnit::Gibibytes);
    }
}
