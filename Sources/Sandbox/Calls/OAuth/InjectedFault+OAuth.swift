import Cloud
package import HTTPTypes

extension InjectedFault {
    /// The error in OAuth's format. AWS codes become equivalent OAuth codes (RFC 6749 sections 4.1.2.1 and 5.2, RFC 6750 section 3.1);
    /// other codes are unchanged.
    package var spelledByOAuth: (code: String, status: HTTPResponse.Status, description: String) {
        let (code, status, description) = FaultCatalogue.oauthEntry(failure.code) ?? (failure.code, 400, failure.code)
        return (code, HTTPResponse.Status(code: failure.status ?? status), failure.message ?? description)
    }
}
