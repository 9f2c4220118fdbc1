import HTTPTypes
package import RequestSigning
import WireFormats

extension Call {
    /// The parts of the request that signatures cover.
    package var signable: SignableRequest {
        SignableRequest(method: method.rawValue, path: path, query: RawQuery(query), authority: authority, fields: headers)
    }
}
