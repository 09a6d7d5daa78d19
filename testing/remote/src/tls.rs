//! The certificate of the server.

use std::sync::Arc;

use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};

/// The path of the certificate of the `https` server. It is for 127.0.0.1, self-signed, and valid until 2120. Its private
/// key is in the same folder, so it must be trusted only in tests.
pub const CERTIFICATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tls/certificate.pem");

pub(crate) fn config() -> Arc<ServerConfig> {
    let certificate = CertificateDer::from_pem_slice(include_bytes!("../tls/certificate.pem"));
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("../tls/key.pem"));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions that the provider has")
        .with_no_client_auth()
        .with_single_cert(vec![certificate.expect("a certificate")], key.expect("a key"));
    Arc::new(config.expect("the key of the certificate"))
}
