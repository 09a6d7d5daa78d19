//! Makes rows of nested Rust structs with enums in them, and reads a nested field back.
//!
//! `cargo run -p fletching-arrow --example nested_rows`

use std::collections::BTreeMap;

use arrow::{
    Float64Array, Float64Builder, Int64Builder, ListArray, ListBuilder, RecordBatch, StructBuilder,
    TypedBatch, Utf8Builder,
    array::{AppendTo, MapBuilder, UnionBuilder},
    schema::UnionMode,
    text::JsonRows,
};

struct Order {
    id: i64,
    customer: Option<Customer>,
    items: Vec<Item>,
    notes: BTreeMap<String, String>,
}

struct Customer {
    name: String,
}

struct Item {
    product: Product,
    price: f64,
}

enum Product {
    Number(i64),
    Name(String),
}

// Each type says which builders take it, and appends itself to them.
type ProductChildren = (Int64Builder, Utf8Builder);

impl AppendTo<ProductChildren> for &Product {
    fn append_to(self, (numbers, names): &mut ProductChildren) {
        match self {
            Product::Number(number) => numbers.append(*number),
            Product::Name(name) => names.append(name),
        }
    }
}

type ItemColumns = (UnionBuilder<ProductChildren>, Float64Builder);

impl AppendTo<ItemColumns> for &Item {
    fn append_to(self, (products, prices): &mut ItemColumns) {
        products.append(&self.product);
        prices.append(self.price);
    }
}

type CustomerColumns = (Utf8Builder,);

impl AppendTo<CustomerColumns> for &Customer {
    fn append_to(self, (names,): &mut CustomerColumns) {
        names.append(&self.name);
    }
}

type OrderColumns = (
    Int64Builder,
    StructBuilder<CustomerColumns>,
    ListBuilder<StructBuilder<ItemColumns>>,
    MapBuilder<Utf8Builder, Utf8Builder>,
);

impl AppendTo<OrderColumns> for &Order {
    fn append_to(self, (ids, customers, items, notes): &mut OrderColumns) {
        ids.append(self.id);
        customers.append(self.customer.as_ref());
        items.append_iter(&self.items);
        notes.append_iter(&self.notes);
    }
}

fn batch_of(orders: &[Order]) -> arrow::Result<RecordBatch> {
    let products = (("number", Int64Builder::new()), ("name", Utf8Builder::new()));
    let items = StructBuilder::new((
        ("product", UnionBuilder::try_new(UnionMode::Dense, products)?),
        ("price", Float64Builder::new()),
    ));
    let mut rows = StructBuilder::new((
        ("id", Int64Builder::new()),
        ("customer", StructBuilder::new((("name", Utf8Builder::new()),))),
        ("items", ListBuilder::new(items)),
        ("notes", MapBuilder::new(Utf8Builder::new(), Utf8Builder::new())),
    ));
    rows.extend(orders);
    Ok(rows.finish_batch()?)
}

fn main() -> arrow::Result<()> {
    let orders = [
        Order {
            id: 1,
            customer: Some(Customer { name: "ada".into() }),
            items: vec![
                Item { product: Product::Name("pencil".into()), price: 1.25 },
                Item { product: Product::Number(4711), price: 20.0 },
            ],
            notes: BTreeMap::from([("gift".into(), "yes".into())]),
        },
        Order { id: 2, customer: None, items: vec![], notes: BTreeMap::new() },
    ];
    let batch = batch_of(&orders)?;
    println!("{}\n", batch.schema());
    let rows = JsonRows::try_new(&batch)?;
    rows.iter().for_each(|row| println!("{row}"));
    assert_eq!(rows.row(1).to_string(), r#"{"id":2,"customer":null,"items":[],"notes":[]}"#);

    // One nested field of all rows: prices are below the items of the lists.
    let prices = batch.column_by_path_as::<ListArray>("items.item.price")?;
    let prices = prices.items_as::<Float64Array>()?;
    let sums: Vec<f64> = prices.iter().flatten().map(|prices| prices.iter().flatten().sum()).collect();
    println!("the sum of each order: {sums:?}");
    assert_eq!(sums, [21.25, 0.0]);
    Ok(())
}

#[test]
fn runs() {
    main().unwrap();
}
