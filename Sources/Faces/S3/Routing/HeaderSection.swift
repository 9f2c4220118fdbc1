import Calls
import Cloud
import HTTPTypes
import WireFormats

extension Call {
    /// The maximum size of the request line and the headers in bytes. (S3 measured in versity/versitygw#2180.)
    private static let headerSectionLimit = 8 << 10

    /// Rejects a request whose line and headers are too long.
    ///
    /// The session token is not counted: those of this process are longer than those of AWS.
    /// - Throws: `RequestHeaderSectionTooLarge`.
    func checkHeaderSection() throws(S3Error) {
        // Each header has a colon, a space and a line end.
        var size = request.target.utf8.count + authority.utf8.count
        for index in headers.indices {
            size += headers[index].name.canonicalName.utf8.count + headers[index].value.utf8.count + 4
        }
        guard size > Self.headerSectionLimit else { return }
        size -= headers.value(of: .securityToken)?.utf8.count ?? 0
        size -= query.firstRange(of: "X-Amz-Security-Token=").map { query[$0.upperBound...].prefix { $0 != "&" }.utf8.count } ?? 0
        guard size > Self.headerSectionLimit else { return }
        throw S3Error(.requestHeaderSectionTooLarge, nil, ["MaxSizeAllowed": String(Self.headerSectionLimit)])
    }
}
