import Calls
import Cloud
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    /// Returns the response that the form selects: an empty 204 or 200, 201 with a document, or 303 to a page.
    /// (S3 API Reference, "POST Object", `success_action_redirect` and `success_action_status`.)
    /// - Parameter written: the header fields that the response of every write has.
    func answer(toForm form: PostedForm, _ record: ObjectRecord, in bucket: Bucket, _ written: HTTPFields) -> Response {
        var fields = written
        if let page = form["success_action_redirect"] ?? form["redirect"],
            let location = redirection(to: page, record, bucket)
        {
            fields[.location] = location
            return answer(.seeOther, fields)
        }
        let location = location(of: record.key, in: bucket)
        fields[.location] = location
        switch form["success_action_status"] {
        case "200": return answer(.ok, fields)
        case "201":
            var xml = XMLWriter()
            xml.declaration()
            xml.element("PostResponse") { xml in
                xml.element("Location", location)
                xml.element("Bucket", bucket.name)
                xml.element("Key", record.key)
                xml.element("ETag", record.entityTag.quoted)
            }
            fields[.contentType] = "application/xml"
            var response = answer(.created, fields)
            response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: xml.bytes))
            return response
        default: return answer(.noContent, fields)
        }
    }

    /// Returns the URL of the object, path-style or virtual-hosted as in the request.
    private func location(of key: String, in bucket: Bucket) -> String {
        let isPathStyle = call.path.utf8.count > 1
        return "\(call.origin)/\(isPathStyle ? "\(bucket.name)/" : "")\(percentEncoded(key))"
    }

    /// Returns the URL to redirect to, with bucket, key and ETag in its query; `nil` if `page` is not an absolute URL.
    private func redirection(to page: String, _ record: ObjectRecord, _ bucket: Bucket) -> String? {
        let scheme = page.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https", page.dropFirst(scheme.count).hasPrefix("://"), HTTPField.isValidValue(page)
        else { return nil }
        func encoded(_ text: String) -> String {
            percentEncoded(text).split(separator: "%20", omittingEmptySubsequences: false).joined(separator: "+")
        }
        return page + (page.contains("?") ? "&" : "?") + "bucket=\(encoded(bucket.name))&key=\(encoded(record.key))"
            + "&etag=\(encoded(record.entityTag.quoted))"
    }
}
