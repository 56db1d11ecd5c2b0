//! Reading and writing JSON by a table of fields.
//!
//! Serde's derived readers are compiled once for every structure and every reader, which for a schema of a hundred
//! optional fields made a third of the page. Here each structure is a table of names with a reader and a writer each,
//! and one piece of code walks them all; it also knows the path of what it refuses, what was given and what is allowed.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::refusal::{Expected, FieldError, Given, Problem, shortened};

/// Where a value stands: the keys that lead to it.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    key: &'a str,
}

impl<'a> Path<'a> {
    /// The value as a whole.
    pub const ROOT: Path<'static> = Path { parent: None, key: "" };

    /// What stands under `key`.
    #[must_use]
    pub fn under(&'a self, key: &'a str) -> Path<'a> {
        Path { parent: Some(self), key }
    }

    /// A refusal of what stands here.
    #[must_use]
    pub fn refuse(&self, problem: Problem) -> FieldError {
        FieldError::new(self.to_string(), problem)
    }

    /// A refusal of `given`, where something else is allowed.
    #[must_use]
    pub fn expected(&self, given: &Value, expected: Expected) -> FieldError {
        self.refuse(Problem::Kind { given: shown(given), expected })
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.parent {
            Some(parent) if parent.parent.is_some() => write!(f, "{parent}.{}", self.key),
            _ => f.write_str(self.key),
        }
    }
}

/// A given value as a refusal shows it: short, whatever it is.
fn shown(value: &Value) -> Given {
    Given::Value(match value {
        Value::Array(_) => return Given::List,
        Value::Object(_) => return Given::Object,
        Value::String(text) => format!("\"{}\"", shortened(text)),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => match number.as_f64() {
            // Written out, a number far out of every range would fill the page with digits.
            Some(value) if value.abs() >= 1e15 => format!("{value:e}"),
            value => value.unwrap_or(f64::NAN).to_string(),
        },
        Value::Null => "null".to_owned(),
    })
}

/// What can stand in JSON.
pub trait Schema: Sized {
    /// Reads the value that stands at `at`.
    ///
    /// # Errors
    /// Names the path, what was given and what is allowed.
    fn read(value: &Value, at: &Path) -> Result<Self, FieldError>;

    /// The same value as JSON.
    fn write(&self) -> Value;
}

/// One field of a structure.
pub struct Field<T: 'static> {
    /// Its key.
    pub key: &'static str,
    /// Reads it into the structure.
    pub read: fn(&mut T, &Value, &Path) -> Result<(), FieldError>,
    /// Writes it, where it was given.
    pub write: fn(&T) -> Option<Value>,
}

/// What becomes of keys that are not in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// They are an error that lists the known ones.
    Refused,
    /// They are passed over: the file has more in it than concerns us.
    PassedOver,
}

/// Reads an object by its table.
///
/// # Errors
/// Whatever is no object, keys that are refused, and what the fields themselves refuse.
pub fn read_object<T: Default>(value: &Value, at: &Path, fields: &[Field<T>], others: Others) -> Result<T, FieldError> {
    let map = object(value, at)?;
    let mut read = T::default();
    for (key, value) in map {
        match fields.iter().find(|field| field.key == key) {
            // Null is how some writers say that a key is not given.
            Some(_) if value.is_null() => {}
            Some(field) => (field.read)(&mut read, value, &at.under(key))?,
            None if others == Others::PassedOver => {}
            None => return Err(unknown(at, key, fields.iter().map(|field| field.key))),
        }
    }
    Ok(read)
}

/// The object that must stand here.
///
/// # Errors
/// Whatever else stands here.
pub fn object<'a>(value: &'a Value, at: &Path) -> Result<&'a Map<String, Value>, FieldError> {
    value.as_object().ok_or_else(|| at.expected(value, Expected::Object))
}

/// The refusal of a key that is not known.
pub fn unknown(at: &Path, key: &str, known: impl Iterator<Item = &'static str>) -> FieldError {
    let known: Vec<&str> = known.collect();
    at.under(key).refuse(Problem::UnknownField { given: key.to_owned(), allowed: known.join(", ") })
}

/// Writes the given fields of a structure.
pub fn write_object<T>(value: &T, fields: &[Field<T>]) -> Value {
    // One by one: collecting into a map brings a sorting routine of its own for each structure.
    let mut map = Map::new();
    for field in fields {
        if let Some(given) = (field.write)(value) {
            map.insert(field.key.to_owned(), given);
        }
    }
    Value::Object(map)
}

/// A structure whose fields are all optional, read and written by its table.
macro_rules! schema {
    ($others:ident: $($(#[$doc:meta])* $visibility:vis struct $name:ident {
        $($(#[$field_doc:meta])* $key:literal $field:ident: $kind:ty),+ $(,)?
    })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        $visibility struct $name {
            $($(#[$field_doc])* pub $field: Option<$kind>),+
        }

        impl $crate::schema::Schema for $name {
            fn read(value: &serde_json::Value, at: &$crate::schema::Path) -> Result<Self, $crate::refusal::FieldError> {
                $crate::schema::read_object(value, at, Self::FIELDS, $crate::schema::Others::$others)
            }

            fn write(&self) -> serde_json::Value {
                $crate::schema::write_object(self, Self::FIELDS)
            }
        }

        impl $name {
            /// Whether nothing at all is given.
            #[allow(dead_code, reason = "rows of files are not asked")]
            #[must_use]
            pub fn is_empty(&self) -> bool {
                $(self.$field.is_none())&&+
            }

            const FIELDS: &'static [$crate::schema::Field<$name>] = &[$($crate::schema::Field {
                key: $key,
                read: |part, value, at| {
                    part.$field = Some($crate::schema::Schema::read(value, at)?);
                    Ok(())
                },
                write: |part| part.$field.as_ref().map($crate::schema::Schema::write),
            }),+];
        }
    )+};
}

pub(crate) use schema;

impl Schema for bool {
    fn read(value: &Value, at: &Path) -> Result<bool, FieldError> {
        value.as_bool().ok_or_else(|| at.expected(value, Expected::Boolean))
    }

    fn write(&self) -> Value {
        Value::Bool(*self)
    }
}

impl Schema for f64 {
    fn read(value: &Value, at: &Path) -> Result<f64, FieldError> {
        value.as_f64().ok_or_else(|| at.expected(value, Expected::Number))
    }

    fn write(&self) -> Value {
        // The largest whole number that every reader of JSON keeps exactly.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if self.fract() == 0.0 && (0.0..=EXACT).contains(self) {
            return (*self as u64).into();
        }
        Number::from_f64(*self).map_or(Value::Null, Value::Number)
    }
}

/// A whole number, which some writers give as `4096.0` or `4.096e3`.
impl Schema for u64 {
    fn read(value: &Value, at: &Path) -> Result<u64, FieldError> {
        // Beyond 2^53 a float no longer names one whole number.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let whole = |number: f64| (number.fract() == 0.0 && (0.0..=EXACT).contains(&number)).then_some(number as u64);
        let given = value.as_u64().or_else(|| value.as_f64().and_then(whole));
        given.ok_or_else(|| at.expected(value, Expected::WholeNumber))
    }

    fn write(&self) -> Value {
        (*self).into()
    }
}

impl Schema for String {
    fn read(value: &Value, at: &Path) -> Result<String, FieldError> {
        value.as_str().map(str::to_owned).ok_or_else(|| at.expected(value, Expected::Text))
    }

    fn write(&self) -> Value {
        self.as_str().into()
    }
}

impl<T: Schema> Schema for Vec<T> {
    fn read(value: &Value, at: &Path) -> Result<Vec<T>, FieldError> {
        let items = value.as_array().ok_or_else(|| at.expected(value, Expected::List))?;
        items.iter().enumerate().map(|(index, item)| T::read(item, &at.under(&index.to_string()))).collect()
    }

    fn write(&self) -> Value {
        self.iter().map(Schema::write).collect()
    }
}

impl<T: Schema> Schema for Box<T> {
    fn read(value: &Value, at: &Path) -> Result<Box<T>, FieldError> {
        T::read(value, at).map(Box::new)
    }

    fn write(&self) -> Value {
        T::write(self)
    }
}

/// Serde's own interface to a structure read by its table.
macro_rules! serde_by_schema {
    ($($name:ty),+) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::schema::Schema::write(self).serialize(serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = $crate::schema::Strict::deserialize(deserializer)?.0;
                $crate::schema::Schema::read(&value, &$crate::schema::Path::ROOT).map_err(serde::de::Error::custom)
            }
        }
    )+};
}

pub(crate) use serde_by_schema;

/// JSON in which no object has a key twice: of two values for one field neither can be ignored.
pub struct Strict(pub Value);

impl Strict {
    /// Reads JSON text.
    ///
    /// # Errors
    /// Text that is no JSON, or a key given twice; in the reader's own words.
    pub fn from_text(text: &str) -> Result<Value, String> {
        serde_json::from_str(text).map(|Strict(value)| value).map_err(|error| error.to_string())
    }
}

impl<'de> de::Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        StrictValue.deserialize(deserializer).map(Strict)
    }
}

struct StrictValue;

impl<'de> DeserializeSeed<'de> for StrictValue {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(StrictValue)
    }
}

impl<'de> Visitor<'de> for StrictValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(StrictValue)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(StrictValue)?;
            if map.insert(key.clone(), value).is_some() {
                return Err(de::Error::custom(format_args!("`{key}` is given twice")));
            }
        }
        Ok(Value::Object(map))
    }
}
