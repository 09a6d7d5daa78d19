//! Arrow IPC files and streams as a format of DataFusion.

use std::{collections::HashMap, sync::Arc};

use arrow_ipc::FetchCost;
use async_trait::async_trait;
use datafusion::{
    arrow::datatypes::SchemaRef,
    catalog::Session,
    common::{GetExt, Statistics, not_impl_err},
    datasource::{
        file_format::{
            FileFormat, FileFormatFactory, arrow::ArrowFormat, file_compression_type::FileCompressionType,
        },
        physical_plan::{FileScanConfig, FileScanConfigBuilder, FileSinkConfig, FileSource},
        source::DataSourceExec,
        table_schema::TableSchema,
    },
    error::{DataFusionError, Result},
    object_store::{ObjectMeta, ObjectStore},
    physical_expr::LexRequirement,
    physical_plan::ExecutionPlan,
    prelude::SessionContext,
};
use futures_util::{FutureExt, StreamExt, TryStreamExt, stream};

use crate::{
    object::RequestCounts,
    opened::{FoundFile, OpenedFiles, OpeningContext},
    options::IpcOptions,
    schema::{FileColumns, merged},
    source::IpcSource,
    statistics::file_statistics,
};

/// Registers Arrow IPC files and streams with a session: `CREATE EXTERNAL TABLE … STORED AS ARROW` for names that end in
/// `.arrow`, and `STORED AS ARROWS` for `.arrows`. They replace DataFusion's own format. Each name may be that of a file or
/// of a stream: the content decides.
///
/// # Errors
/// None for the formats of this crate: registering replaces what was there.
pub fn register_with(session: &SessionContext, options: IpcOptions) -> Result<()> {
    let state = session.state_ref();
    let mut state = state.write();
    for extension in EXTENSIONS {
        let factory = IpcFormatFactory { extension, options: options.clone() };
        state.register_file_format(Arc::new(factory), true)?;
    }
    Ok(())
}

/// Like [`register_with`], with the default options.
///
/// # Errors
/// Those of [`register_with`].
pub fn register(session: &SessionContext) -> Result<()> {
    register_with(session, IpcOptions::default())
}

const EXTENSIONS: [&str; 2] = ["arrow", "arrows"];

/// The format of a table of Arrow IPC files and streams, for `ListingOptions`.
///
/// ```
/// use std::sync::Arc;
///
/// use arrow_datafusion::IpcFormat;
/// use datafusion::{datasource::listing::ListingOptions, error::Result, prelude::SessionContext};
///
/// async fn count(session: &SessionContext) -> Result<usize> {
///     let files = ListingOptions::new(Arc::new(IpcFormat::new()));
///     session.register_listing_table("events", "events/", files, None, None).await?;
///     session.table("events").await?.count().await
/// }
/// ```
#[derive(Debug, Clone)]
pub struct IpcFormat {
    extension: &'static str,
    options: IpcOptions,
    files: OpenedFiles,
}

impl IpcFormat {
    /// The format with the default options.
    pub fn new() -> IpcFormat {
        IpcFormat::default()
    }

    /// The format with these options.
    pub fn new_with(options: IpcOptions) -> IpcFormat {
        IpcFormat { options, ..IpcFormat::default() }
    }

    /// The options.
    pub fn options(&self) -> &IpcOptions {
        &self.options
    }

    fn context(&self, state: &dyn Session, store: &Arc<dyn ObjectStore>) -> OpeningContext {
        OpeningContext {
            store: Arc::clone(store),
            cache: Some(state.runtime_env().cache_manager.get_file_metadata_cache()),
            options: self.options.clone(),
            cost: self.options.fetch_cost().unwrap_or(FetchCost::OBJECT_STORE),
            // The end of a file is read first, which opens it.
            is_local: false,
            counts: RequestCounts::default(),
        }
    }
}

impl Default for IpcFormat {
    fn default() -> IpcFormat {
        let [extension, _] = EXTENSIONS;
        IpcFormat { extension, options: IpcOptions::default(), files: OpenedFiles::default() }
    }
}

#[async_trait]
impl FileFormat for IpcFormat {
    fn get_ext(&self) -> String {
        self.extension.to_owned()
    }

    fn get_ext_with_compression(&self, compression: &FileCompressionType) -> Result<String> {
        if compression.is_compressed() {
            return not_impl_err!(
                "Arrow IPC files compress their bodies; a compressed file as a whole is not read"
            );
        }
        Ok(self.get_ext())
    }

    fn compression_type(&self) -> Option<FileCompressionType> {
        None
    }

    async fn infer_schema(
        &self,
        state: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        objects: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        let context = self.context(state, store);
        let n_at_once = state.config_options().execution.meta_fetch_concurrency.get();
        let schemas = objects.iter().cloned().map(|object| {
            let files = self.files.clone();
            let context = context.clone();
            let schema = async move {
                let schema = files.schema(&context, &object).await?;
                let columns = FileColumns::try_all(&object.location, &schema)?;
                Ok::<_, DataFusionError>((object.location, columns.schema))
            };
            schema.boxed()
        });
        let schemas: Vec<_> = schemas.collect();
        let mut schemas: Vec<_> = stream::iter(schemas).buffered(n_at_once).try_collect().await?;
        // Listings may come in any order.
        schemas.sort_by(|(one, _), (other, _)| one.cmp(other));
        merged(schemas)
    }

    async fn infer_stats(
        &self,
        state: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        table: SchemaRef,
        object: &ObjectMeta,
    ) -> Result<Statistics> {
        let context = self.context(state, store);
        match self.files.find(&context, object).await? {
            FoundFile::Opened(decoder) => {
                let is_needed = |name: &str| table.field_with_name(name).is_ok();
                let columns = FileColumns::try_needed(&object.location, decoder.ipc_schema(), is_needed)?;
                Ok(file_statistics(&decoder, &columns, &table, &self.options))
            }
            FoundFile::LongStream(_) => Ok(Statistics::new_unknown(&table)),
        }
    }

    async fn create_physical_plan(
        &self,
        state: &dyn Session,
        config: FileScanConfig,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let cache = state.runtime_env().cache_manager.get_file_metadata_cache();
        let source = config.file_source().downcast_ref::<IpcSource>().cloned();
        let config = match source {
            Some(source) => {
                FileScanConfigBuilder::from(config).with_source(Arc::new(source.with_cache(cache))).build()
            }
            None => config,
        };
        Ok(DataSourceExec::from_data_source(config))
    }

    /// Files are written by DataFusion's own format.
    async fn create_writer_physical_plan(
        &self,
        input: Arc<dyn ExecutionPlan>,
        state: &dyn Session,
        config: FileSinkConfig,
        order: Option<LexRequirement>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        ArrowFormat.create_writer_physical_plan(input, state, config, order).await
    }

    fn file_source(&self, table: TableSchema) -> Arc<dyn FileSource> {
        Arc::new(IpcSource::with_files(table, self.options.clone(), self.files.clone()))
    }
}

/// Makes the format for `CREATE EXTERNAL TABLE`. [`register`] registers it.
#[derive(Debug, Clone)]
pub struct IpcFormatFactory {
    extension: &'static str,
    options: IpcOptions,
}

impl IpcFormatFactory {
    /// A factory for files whose names end in `.arrow`, with these options unless a statement has others.
    pub fn new_with(options: IpcOptions) -> IpcFormatFactory {
        let [extension, _] = EXTENSIONS;
        IpcFormatFactory { extension, options }
    }
}

impl FileFormatFactory for IpcFormatFactory {
    fn create(&self, _: &dyn Session, given: &HashMap<String, String>) -> Result<Arc<dyn FileFormat>> {
        let options = self.options.clone().with_sql(given)?;
        Ok(Arc::new(IpcFormat { extension: self.extension, ..IpcFormat::new_with(options) }))
    }

    fn default(&self) -> Arc<dyn FileFormat> {
        Arc::new(IpcFormat { extension: self.extension, ..IpcFormat::new_with(self.options.clone()) })
    }
}

impl GetExt for IpcFormatFactory {
    fn get_ext(&self) -> String {
        self.extension.to_owned()
    }
}
