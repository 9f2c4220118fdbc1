import HTTPTypes
package import RequestSigning
import WireFormats

extension Call {
    /// The request as signatures cover it.
    package var signable: SignableRequest {
        SignableRequest(method: method.rawValue, path: path, query: RawQuery(query), authority: authority, fields: headers)
    }
}
