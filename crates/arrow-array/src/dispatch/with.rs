//! Macros that match on [`AnyArray`](crate::AnyArray), generated from the rows of `each_type`.

/// Defines each macro from the names of the variants that it accepts.
macro_rules! with_macros {
    (
        ($d:tt) [$($integer:ident)*] [$($ordered:ident)*] [$($interval:ident)*] [$($bytes:ident)*]
        [$($text:ident)*] [$($list:ident)*] [$($other:ident)*]
    ) => {
        /// Evaluates an expression with the typed array in an [`AnyArray`] of any type, by a match with an arm for each type.
        /// The expression must compile for every [`Array`](crate::Array), like a call of a generic function.
        ///
        /// ```
        /// use arrow_array::{AnyArray, Array, BooleanArray, with_array};
        ///
        /// fn n_valid<A: Array>(array: &A) -> usize {
        ///     array.iter().flatten().count()
        /// }
        ///
        /// let any = AnyArray::from(BooleanArray::from_iter([Some(true), None]));
        /// assert_eq!(with_array!(&any, array => n_valid(array)), 1);
        /// ```
        #[macro_export]
        macro_rules! with_array {
            ($d any:expr, $d array:ident => $d body:expr $d(,)?) => {
                match $d any {
                    $($crate::AnyArray::$integer($d array) => $d body,)*
                    $($crate::AnyArray::$ordered($d array) => $d body,)*
                    $($crate::AnyArray::$interval($d array) => $d body,)*
                    $($crate::AnyArray::$bytes($d array) => $d body,)*
                    $($crate::AnyArray::$text($d array) => $d body,)*
                    $($crate::AnyArray::$list($d array) => $d body,)*
                    $($crate::AnyArray::$other($d array) => $d body,)*
                }
            };
        }

        with_macros! {
            @some ($d) with_primitive [$($integer)* $($ordered)* $($interval)*]
            /// Evaluates an expression with the [`PrimitiveArray`](crate::PrimitiveArray) in an [`AnyArray`]. Evaluates the
            /// second expression if the array has another type.
            ///
            /// The expression must compile for every [`PrimitiveType`](crate::PrimitiveType). All their numbers can be copied,
            /// printed and compared with `==`. Not all of them have an order or are integers: to add or order numbers, use
            /// [`with_integer!`](crate::with_integer!) or [`with_ordered!`](crate::with_ordered!).
            ///
            /// ```
            /// use arrow_array::{AnyArray, Int32Array, NullArray, PrimitiveArray, PrimitiveType, with_primitive};
            ///
            /// fn n_bytes<T: PrimitiveType>(array: &PrimitiveArray<T>) -> usize {
            ///     size_of_val(array.values())
            /// }
            ///
            /// let columns = [AnyArray::from(Int32Array::from_iter([1, 2, 3])), NullArray::new(3).into()];
            /// let sizes = columns.map(|any| with_primitive!(&any, array => n_bytes(array), other => other.len() / 8));
            /// assert_eq!(sizes, [12, 0]);
            /// ```
        }

        with_macros! {
            @some ($d) with_ordered [$($integer)* $($ordered)*]
            /// Evaluates an expression with the [`PrimitiveArray`](crate::PrimitiveArray) in an [`AnyArray`] if its numbers
            /// have an order. Evaluates the second expression if the array has another type.
            ///
            /// All primitive arrays have an order, except intervals of days and milliseconds, and of months, days and
            /// nanoseconds. The expression must compile for every [`PrimitiveType`](crate::PrimitiveType) whose `Native` is
            /// [`PartialOrd`]. Within one array, the numbers have the same order as the values: all decimals have the same
            /// scale, and all dates, times and timestamps the same unit.
            ///
            /// ```
            /// use arrow_array::{AnyArray, Float64Array, PrimitiveArray, PrimitiveType, Utf8ViewArray, with_ordered};
            ///
            /// /// Whether no value is less than the one before it, nulls left out.
            /// fn is_sorted<T: PrimitiveType<Native: PartialOrd>>(array: &PrimitiveArray<T>) -> bool {
            ///     array.iter().flatten().is_sorted()
            /// }
            ///
            /// let numbers = AnyArray::from(Float64Array::from_iter([Some(-1.5), None, Some(2.0)]));
            /// assert_eq!(with_ordered!(&numbers, array => Some(is_sorted(array)), _ => None), Some(true));
            /// let texts = AnyArray::from(Utf8ViewArray::from_iter(["a"]));
            /// assert_eq!(with_ordered!(&texts, array => Some(is_sorted(array)), _ => None), None);
            /// ```
        }

        with_macros! {
            @some ($d) with_integer [$($integer)*]
            /// Evaluates an expression with the array of signed or unsigned integers in an [`AnyArray`], of any width.
            /// Evaluates the second expression if the array has another type. Decimals, dates, times, durations and intervals
            /// do not count as integers.
            ///
            /// The expression must compile for the eight integer types of Rust up to 64 bits. All of these types have an order,
            /// and convert to `i128` with `i128::from`.
            ///
            /// ```
            /// use arrow_array::{AnyArray, ArrayError, Int8Array, Utf8ViewArray, with_integer};
            /// use arrow_data::ArrayData;
            ///
            /// /// The sum of any column of integers.
            /// fn sum(column: &ArrayData) -> Result<Option<i128>, ArrayError> {
            ///     let any = AnyArray::try_new(column)?;
            ///     Ok(with_integer!(&any, array => Some(array.iter().flatten().map(i128::from).sum()), _ => None))
            /// }
            ///
            /// assert_eq!(sum(Int8Array::from_iter([Some(100), None, Some(100)]).data())?, Some(200));
            /// assert_eq!(sum(Utf8ViewArray::from_iter(["100"]).data())?, None);
            /// # Ok::<(), ArrayError>(())
            /// ```
        }

        with_macros! {
            @some ($d) with_text [$($text)*]
            /// Evaluates an expression with the utf8 array in an [`AnyArray`], with offsets of 32 or 64 bits or with views.
            /// Evaluates the second expression if the array has another type.
            ///
            /// The expression must compile for every [`Array`](crate::Array) whose values are `&str`. A function that accepts
            /// all of them has the bound `A: for<'a> Array<Item<'a> = &'a str>`:
            ///
            /// ```
            /// use std::collections::HashSet;
            /// use arrow_array::{AnyArray, Array, Int8Array, Utf8Array, Utf8ViewArray, with_text};
            ///
            /// fn n_distinct<A: for<'a> Array<Item<'a> = &'a str>>(array: &A) -> usize {
            ///     array.iter().flatten().collect::<HashSet<&str>>().len()
            /// }
            ///
            /// let texts = [Some("a"), None, Some("b"), Some("a")];
            /// let columns: [AnyArray; 3] = [
            ///     Utf8Array::try_from_iter(texts)?.into(),
            ///     Utf8ViewArray::from_iter(texts).into(),
            ///     Int8Array::from_iter([1]).into(),
            /// ];
            /// let found = columns.map(|any| with_text!(&any, array => Some(n_distinct(array)), _ => None));
            /// assert_eq!(found, [Some(2), Some(2), None]);
            /// # Ok::<(), arrow_array::ArrayError>(())
            /// ```
        }

        with_macros! {
            @some ($d) with_bytes [$($bytes)*]
            /// Evaluates an expression with the binary array in an [`AnyArray`]: `fixed_size_binary`, `binary`, `large_binary`
            /// or `binary_view`. Evaluates the second expression if the array has another type. For text, see
            /// [`with_text!`](crate::with_text!).
            ///
            /// The expression must compile for every [`Array`](crate::Array) whose values are `&[u8]`. A function that accepts
            /// all of them has the bound `A: for<'a> Array<Item<'a> = &'a [u8]>`.
            ///
            /// ```
            /// use arrow_array::{AnyArray, BinaryViewArray, with_bytes};
            ///
            /// let any = AnyArray::from(BinaryViewArray::from_iter([Some(b"ab"), None]));
            /// let n_bytes = with_bytes!(&any, array => array.iter().flatten().map(<[u8]>::len).sum(), _ => 0);
            /// assert_eq!(n_bytes, 2);
            /// ```
        }

        with_macros! {
            @some ($d) with_list [$($list)*]
            /// Evaluates an expression with the array of lists in an [`AnyArray`], of any layout. Evaluates the second
            /// expression if the array has another type. Maps do not count as lists.
            ///
            /// The expression must compile for every type that implements [`Lists`](crate::Lists), whose methods include
            /// `items`, `range` and `items_as`.
            ///
            /// ```
            /// use arrow_array::{AnyArray, BooleanArray, Int64Builder, ListBuilder, with_list};
            ///
            /// let mut lists = ListBuilder::new(Int64Builder::new()).with_values([vec![1, 2], vec![3]]);
            /// let longest = |any: &AnyArray| {
            ///     with_list!(any, array => (0..array.len()).map(|slot| array.range(slot).len()).max(), _ => None)
            /// };
            /// assert_eq!(longest(&lists.finish()?.into()), Some(2));
            /// assert_eq!(longest(&BooleanArray::from_iter([true]).into()), None);
            /// # Ok::<(), arrow_array::ArrayError>(())
            /// ```
        }
    };
    (@some ($d:tt) $name:ident [$($variant:ident)*] $(#[$doc:meta])*) => {
        $(#[$doc])*
        #[macro_export]
        macro_rules! $name {
            ($d any:expr, $d array:ident => $d body:expr, $d other:pat => $d otherwise:expr $d(,)?) => {
                match $d any {
                    $($crate::AnyArray::$variant($d array) => $d body,)*
                    $d other => $d otherwise,
                }
            };
        }
    };
}
