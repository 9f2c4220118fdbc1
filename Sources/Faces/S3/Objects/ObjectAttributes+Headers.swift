import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension ObjectAttributes {
    /// Parses the attributes in the headers of a write.
    /// (S3 User Guide, "Working with object metadata".)
    /// - Throws: `MetadataTooLarge`, `InvalidStorageClass`, `InvalidRedirectLocation`, and `NotImplemented` for an append and for an event hold.
    init(writing headers: HTTPFields, _ dialect: Dialect) throws(S3Error) {
        self.init()
        var metadataSize = 0
        for field in headers {
            let name = field.name.canonicalName
            switch name {
            case "content-type" where !field.value.isEmpty: contentType = HeaderText.stored(field)
            case "content-encoding": contentEncoding = Self.storedEncoding(field.value, headers, dialect)
            case "content-disposition": contentDisposition = HeaderText.stored(field)
            case "content-language": contentLanguage = HeaderText.stored(field)
            case "cache-control": cacheControl = HeaderText.stored(field)
            case "expires": expires = HeaderText.stored(field)
            // Condition keys have the joined values of a repeated header, so that its last value alone must not count.
            case "x-amz-storage-class": storageClass = try StorageClass(named: headers.value(of: .storageClass) ?? field.value).stored
            case "x-amz-website-redirect-location":
                websiteRedirect = try Self.redirect(headers.value(of: .websiteRedirectLocation) ?? field.value)
            // Only directory buckets support appending.
            case "x-amz-write-offset-bytes": throw .notImplemented(header: name)
            default:
                // Most other headers are those of HTTP, which need one comparison.
                guard name.begins(with: "x-amz-") else { continue }
                guard name.hasPrefix(metadataPrefix) else {
                    if name.begins(with: "x-amz-object-lock-event-hold") { throw .notImplemented(header: name) }
                    continue
                }
                let key = String(name.dropFirst(metadataPrefix.count))
                let value = EncodedWords.decoded(field.value)
                metadataSize += key.utf8.count + value.utf8.count
                add(metadata: key, value)
            }
        }
        guard metadataSize <= 2048 else {
            throw S3Error(.metadataTooLarge, nil, ["Size": String(metadataSize), "MaxSizeAllowed": "2048"])
        }
    }

    /// Adds a metadata header. The values of a repeated header are joined.
    private mutating func add(metadata name: String, _ value: String) {
        if let index = metadata.firstIndex(where: { $0.name == name }) {
            metadata[index].value += ",\(value)"
        } else {
            metadata.append(MetadataField(name: name, value: value))
        }
    }

    /// Validates a redirect location. (S3 User Guide, "Configuring a webpage redirect".)
    private static func redirect(_ location: String) throws(S3Error) -> String {
        guard location.hasPrefix("/") || location.hasPrefix("http://") || location.hasPrefix("https://") else {
            throw S3Error(.invalidRedirectLocation)
        }
        guard location.utf8.count <= 2048 else {
            throw S3Error(
                .invalidRedirectLocation, "The length of website redirect location cannot exceed 2,048 characters.")
        }
        return location
    }

    /// Removes `aws-chunked`, which describes the transfer and not the object. Other codings are unchanged. S3 keeps it if the body is not in
    /// chunks (OpenStack Swift, test/s3api/test_input_errors.py, which also runs against AWS); RADOS Gateway always removes it.
    private static func storedEncoding(_ value: String, _ headers: HTTPFields, _ dialect: Dialect) -> String? {
        guard value.contains("aws-chunked") else { return value }
        guard dialect == .ceph || headers.value(of: .contentSHA256)?.hasPrefix("STREAMING-") == true else { return value }
        let codings = value.split(separator: ",").filter { coding in coding.filter { $0 != " " } != "aws-chunked" }
        return codings.isEmpty ? nil : String(codings.joined(separator: ",").drop { $0 == " " })
    }

    /// Appends the headers for the attributes.
    /// - Parameter overrides: values from the query that override headers, by header name.
    func append(to fields: inout HTTPFields, overrides: [HTTPField.Name: String] = [:]) {
        func append(_ name: HTTPField.Name, _ value: String?) {
            if let value = overrides.isEmpty ? value : overrides[name] ?? value {
                fields.append(HeaderText.field(name, value))
            }
        }
        append(.contentType, contentType ?? "binary/octet-stream")
        append(.contentEncoding, contentEncoding)
        append(.contentDisposition, contentDisposition)
        append(.contentLanguage, contentLanguage)
        append(.cacheControl, cacheControl)
        append(.expires, expires)
        if let storageClass { fields.append(HTTPField(name: .storageClass, value: storageClass)) }
        if let websiteRedirect { fields.append(HTTPField(name: .websiteRedirectLocation, value: websiteRedirect)) }
        var missing = 0
        for field in metadata {
            if let name = HTTPField.Name(metadataPrefix + field.name) {
                fields.append(HeaderText.field(name, EncodedWords.encoded(field.value)))
            } else {
                missing += 1
            }
        }
        if missing > 0 { fields.append(HTTPField(name: .missingMetadata, value: String(missing))) }
    }
}
