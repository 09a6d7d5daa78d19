//! Generates the methods that every builder has, so that the traits need not be in scope.

/// `builder_methods!([generics] Type => Array)` generates the methods of one builder. Its `finish` returns an `Array`. Builders
/// whose values have no static type get no methods that append values.
macro_rules! builder_methods {
    ([$($generics:tt)*] $builder:ty => $array:ty) => {
        $crate::builder::methods::builder_methods!(@common [$($generics)*] $builder => $array);
        $crate::builder::methods::builder_methods!(@append [$($generics)*] $builder);
    };
    (@common [$($generics:tt)*] $builder:ty => $array:ty) => {
        impl<$($generics)*> $builder {
            /// The Arrow type that the finished array will have.
            pub fn data_type(&self) -> &arrow_schema::DataType {
                $crate::builder::Builder::data_type(self)
            }

            /// The number of slots that were appended since the builder was empty.
            pub fn len(&self) -> usize {
                $crate::builder::Builder::len(self)
            }

            /// Whether the builder has no slots.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Appends a null; see [`Builder::append_null`](crate::Builder::append_null).
            #[inline]
            pub fn append_null(&mut self) {
                $crate::builder::Builder::append_null(self);
            }

            /// Appends `n_slots` null slots, which is faster than one call for each.
            pub fn append_nulls(&mut self, n_slots: usize) {
                $crate::builder::Builder::append_nulls(self, n_slots);
            }

            /// Reserves memory for `n_slots` more slots, so that later appends allocate less often.
            pub fn reserve(&mut self, n_slots: usize) {
                $crate::builder::Builder::reserve(self, n_slots);
            }

            /// Removes all slots after the first `n_slots`; see [`Builder::truncate`](crate::Builder::truncate).
            pub fn truncate(&mut self, n_slots: usize) {
                $crate::builder::Builder::truncate(self, n_slots);
            }

            /// The first error since the builder was empty. `finish` will return it.
            pub fn error(&self) -> Option<$crate::error::ArrayError> {
                $crate::builder::Builder::error(self)
            }

            /// Returns the array of all slots. The builder is then empty, even after an error, and can be used again.
            ///
            /// # Errors
            /// The first error since the builder was empty. The page of each builder lists the causes.
            pub fn finish(&mut self) -> Result<$array, $crate::error::ArrayError> {
                $crate::builder::Builder::finish_data(self).and_then(<$array>::try_from)
            }
        }
    };
    (@append [$($generics:tt)*] $builder:ty) => {
        impl<$($generics)*> $builder {
            /// Appends one value. [`Append`](crate::Append) lists which values each builder accepts.
            #[inline]
            pub fn append<Value>(&mut self, value: Value)
            where
                Self: $crate::builder::Append<Value>,
            {
                $crate::builder::Append::append(self, value);
            }

            /// Appends each value of an iterator, and returns the builder.
            #[must_use]
            pub fn with_values<Value>(mut self, values: impl IntoIterator<Item = Value>) -> Self
            where
                Self: $crate::builder::Append<Value>,
            {
                self.extend(values);
                self
            }
        }

        impl<$($generics)* __Value> Extend<__Value> for $builder
        where
            $builder: $crate::builder::Append<__Value>,
        {
            fn extend<I: IntoIterator<Item = __Value>>(&mut self, values: I) {
                let values = values.into_iter();
                $crate::builder::Builder::reserve(self, values.size_hint().0);
                $crate::builder::append::SlotLookup::append_all(self, values);
            }
        }
    };
}

pub(super) use builder_methods;
