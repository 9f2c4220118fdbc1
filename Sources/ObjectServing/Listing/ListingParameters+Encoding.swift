package import ObjectStore
package import WireFormats

/// The members that the listings of S3 and of OSS have in common, in the order that both write them in.
extension ListingParameters {
    /// What an answer does with a member that the request does not give.
    package enum Absence: Sendable {
        /// As S3 does.
        case leftOut
        /// As OSS does.
        case empty
    }

    /// Bytes of a listing, roughly: its entries are much alike but for their keys.
    package static func roughSize(_ entries: Int) -> Int { 1024 + entries * 400 }

    /// Writes how a listing of objects or versions is limited, rolled up and spelled, and whether it goes on.
    package func encodeLimits(isTruncated: Bool, absent: Absence, into xml: inout XMLWriter) {
        xml.element("MaxKeys", limit)
        encodeDelimiter(absent, into: &xml)
        if isEncoded { xml.element("EncodingType", "url") }
        xml.element("IsTruncated", isTruncated)
    }

    /// Writes a page of uploads, behind the name of the bucket.
    /// - Parameters:
    ///   - keyMarker: the request's own.
    ///   - idMarker: the request's own.
    ///   - nextKey: where the listing goes on; nothing writes an empty member.
    ///   - showsPrefix: whether the prefix is a member.
    ///   - encode: writes the members of an upload behind its key and identifier.
    package func encodeUploads(
        _ page: UploadPage, keyMarker: String, idMarker: String, nextKey: String?, showsPrefix: Bool, absent: Absence,
        into xml: inout XMLWriter, _ encode: (MultipartUpload, inout XMLWriter) -> Void
    ) {
        xml.element("KeyMarker", spelled(keyMarker))
        xml.element("UploadIdMarker", idMarker)
        xml.element("NextKeyMarker", spelled(nextKey ?? ""))
        xml.element("NextUploadIdMarker", page.lastID ?? "")
        encodeDelimiter(absent, into: &xml)
        if showsPrefix { xml.element("Prefix", spelled(prefix)) }
        if isEncoded { xml.element("EncodingType", "url") }
        xml.element("MaxUploads", limit)
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

    /// Writes the common prefixes of a page, which stand behind its other entries.
    package func encode(commonPrefixes: [String], into xml: inout XMLWriter) {
        for prefix in commonPrefixes {
            xml.element("CommonPrefixes") { xml in xml.element("Prefix", spelled(prefix)) }
        }
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
