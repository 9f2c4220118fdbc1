package import ObjectStore
package import WireFormats

/// The members that listings of S3 and OSS have in common.
extension ListingParameters {
    /// The handling of members that the request does not specify.
    package enum Absence: Sendable {
        /// The member is omitted, as in S3.
        case leftOut
        /// The member is empty, as in OSS.
        case empty
    }

    /// Returns the approximate size of a listing in bytes.
    package static func roughSize(_ entries: Int) -> Int { 1024 + entries * 400 }

    /// Writes limit, delimiter, encoding and whether the listing is truncated, for a listing of objects or versions.
    package func encodeLimits(isTruncated: Bool, absent: Absence, into xml: inout XMLWriter) {
        xml.element("MaxKeys", requested)
        encodeDelimiter(absent, into: &xml)
        encodeEncoding(into: &xml)
        xml.element("IsTruncated", isTruncated)
    }

    /// Writes a page of uploads, after the name of the bucket.
    ///
    /// S3 writes the encoding after the limit (brekkylab/backlot, versity/versitygw#2156), and OSS after the bucket (OSS API Reference,
    /// "ListMultipartUploads", the elements in order; aliyun/aliyun-oss-php-sdk, "ListMultipartUploadResultTest").
    /// - Parameters:
    ///   - keyMarker: the value in the request.
    ///   - idMarker: the value in the request.
    ///   - nextKey: the key after which the listing continues; `nil` writes an empty member.
    ///   - showsPrefix: whether to write the prefix.
    ///   - encode: writes the members of an upload after its key and ID.
    package func encodeUploads(
        _ page: UploadPage, keyMarker: String, idMarker: String, nextKey: String?, showsPrefix: Bool, absent: Absence,
        into xml: inout XMLWriter, _ encode: (MultipartUpload, inout XMLWriter) -> Void
    ) {
        if absent == .empty { encodeEncoding(into: &xml) }
        xml.element("KeyMarker", spelled(keyMarker))
        xml.element("UploadIdMarker", idMarker)
        xml.element("NextKeyMarker", spelled(nextKey ?? ""))
        xml.element("NextUploadIdMarker", page.lastID ?? "")
        encodeDelimiter(absent, into: &xml)
        if showsPrefix { xml.element("Prefix", spelled(prefix)) }
        xml.element("MaxUploads", limit)
        if absent == .leftOut { encodeEncoding(into: &xml) }
        xml.element("IsTruncated", page.isTruncated)
        for case .upload(let upload) in page.entries {
            xml.element("Upload") { xml in
                xml.element("Key", spelled(upload.key))
                xml.element("UploadId", upload.id)
                encode(upload, &xml)
            }
        }
        self.encode(commonPrefixes: page.commonPrefixes, into: &xml)
    }

    /// Writes the common prefixes of a page, which follow its other entries.
    package func encode(commonPrefixes: [String], into xml: inout XMLWriter) {
        for prefix in commonPrefixes {
            xml.element("CommonPrefixes") { xml in xml.element("Prefix", spelled(prefix)) }
        }
    }

    private func encodeEncoding(into xml: inout XMLWriter) {
        if encoding != .plain { xml.element("EncodingType", encodingName) }
    }

    private func encodeDelimiter(_ absent: Absence, into xml: inout XMLWriter) {
        if delimiter != nil || absent == .empty { xml.element("Delimiter", spelled(delimiter ?? "")) }
    }
}

extension ListPage {
    /// The common prefixes among the entries, in order.
    package var commonPrefixes: [String] {
        entries.compactMap { if case .commonPrefix(let prefix) = $0 { prefix } else { nil } }
    }
}

extension VersionPage {
    /// The common prefixes among the entries, in order.
    package var commonPrefixes: [String] {
        entries.compactMap { if case .commonPrefix(let prefix) = $0 { prefix } else { nil } }
    }
}

extension UploadPage {
    /// The common prefixes among the entries, in order.
    package var commonPrefixes: [String] {
        entries.compactMap { if case .commonPrefix(let prefix) = $0 { prefix } else { nil } }
    }
}
