import Calls
import Cloud
import Cryptography
import Federation
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import RequestSigning
import WireFormats

extension OSSRequest {
    /// PostObject. Uploads an object with an HTML form. (OSS API Reference, "PostObject".)
    ///
    /// The signature covers the form's policy; a form without one is anonymous. The fields are converted to the headers of a PUT.
    func postObject(in bucket: Bucket) async throws -> Response {
        guard let boundary = headers.formBoundary else { throw OSSError(FormDataError.malformed) }
        do {
            return try await postObject(
                FormUpload(boundary: boundary, call.request.body.makeAsyncIterator()), in: bucket)
        } catch let error as FormDataError {
            throw OSSError(error)
        }
    }

    private func postObject<Source>(_ upload: FormUpload<Source>, in bucket: Bucket) async throws -> Response {
        var upload = upload
        let form = try await upload.form()
        let key = try form.ossKey()
        let signature = try form.ossSignature()
        let authenticated = try signature.map { signature throws(OSSError) in try authenticate(signature, for: bucket) }
        if let authenticated { try face.checkPage(call, authenticated, bucket.name) }
        var limits = (least: Int64(0), most: OSSBodyDeclaration.maximumLength)
        if let signature {
            let policy = try PostPolicy(oss: signature.policy)
            try policy.check(form, bucket: bucket.name, key: key, isExpired: policy.isExpired(signed: authenticated?.signed, by: clock))
            limits = policy.contentLength(upTo: limits.most)
        }
        let write = OSSRequest(
            face: face, call: call, address: address, query: query, authenticated: authenticated ?? self.authenticated)
        let fields = form.ossHeaders()
        // The ACL is a field of the form instead of a header.
        let acl = fields.value(of: .ossObjectACL).map { ("oss:x-oss-object-acl", $0) as OperationKey }
        try write.authorize(.putObject, on: bucket, key: key, keys: [acl].compactMap { $0 })
        let callback = try write.uploadCallback(form["callback"], variables: form.callbackVariables, in: bucket)
        let digest = try fields.declaredMD5()
        let record = try await write.writeObject(
            key, OSSObjectWriteInput(OSSFields(query: query, headers: fields)), in: bucket, as: .objectCreatedPost
        ) {
            try await write.receive(length: nil, md5: digest, from: upload.content(limits), for: bucket)
        }
        let written = write.writtenFields(record, in: bucket)
        guard let callback else { return write.answer(toForm: form, record, in: bucket, written) }
        return await write.answer(of: callback, about: record, in: bucket, operation: "PostObject", written)
    }

    private func authenticate(_ signature: FormSignature, for bucket: Bucket) throws(OSSError) -> Authenticated {
        let authenticated: Authenticated
        do {
            authenticated = try face.authenticator.authenticate(signature, service: "oss")
        } catch {
            throw OSSError(error, isPresigned: true)
        }
        if let region = authenticated.region, region != bucket.region, bucket.configuration.documents[.sharedWith] == nil {
            throw .signingRegion(isPresigned: true)
        }
        if let arn = authenticated.caller.arn { call.note(caller: arn) }
        return authenticated
    }

    /// Returns the response that the form selects: an empty 204 or 200, 201 with a document, or 303 to a page.
    private func answer(toForm form: PostedForm, _ record: ObjectRecord, in bucket: Bucket, _ written: HTTPFields) -> Response {
        var fields = written
        if let page = form["success_action_redirect"], let location = redirection(to: page, record, bucket) {
            fields.append(HTTPField(name: .location, value: location))
            return answer(.seeOther, fields)
        }
        switch form["success_action_status"] {
        case "200": return answer(.ok, fields)
        case "201":
            let isPathStyle = call.path.utf8.count > 1
            let location = "\(call.origin)/\(isPathStyle ? "\(bucket.name)/" : "")\(percentEncoded(record.key, keepingSlash: true))"
            return answer(.created, fields, root: "PostResponse") { xml in
                xml.element("Bucket", bucket.name)
                xml.element("Location", location)
                xml.element("Key", record.key)
                xml.element("ETag", record.ossEntityTag)
            }
        default: return answer(.noContent, fields)
        }
    }

    /// Returns the URL to redirect to, with bucket, key and ETag in its query; `nil` if `page` is not an absolute URL.
    private func redirection(to page: String, _ record: ObjectRecord, _ bucket: Bucket) -> String? {
        let scheme = page.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https", page.dropFirst(scheme.count).hasPrefix("://"), HTTPField.isValidValue(page)
        else { return nil }
        return page + (page.contains("?") ? "&" : "?") + "bucket=\(percentEncoded(bucket.name))&key=\(percentEncoded(record.key))"
            + "&etag=\(percentEncoded(record.ossEntityTag))"
    }
}

extension PostedForm {
    /// Returns the key of the object. `${filename}` is replaced by the name of the file.
    fileprivate func ossKey() throws(OSSError) -> String {
        guard let template = self["key"] else { throw .missingField("key") }
        let key = insertingFilename(in: template)
        guard 1...1023 ~= key.utf8.count, !key.hasPrefix("/"), !key.hasPrefix("\\") else {
            throw OSSError(.invalidObjectName, nil, ["ObjectName": key])
        }
        return key
    }

    /// Returns the signature; `nil` for an anonymous form.
    fileprivate func ossSignature() throws(OSSError) -> FormSignature? {
        do throws(FormSignatureError) {
            let signature = try FormSignature.ofOSS { self[$0] }
            if signature == nil, self["policy"] != nil { throw .missingField("OSSAccessKeyId") }
            return signature
        } catch {
            throw OSSError(error)
        }
    }

    /// Converts the fields to the headers of the equivalent PUT request.
    fileprivate func ossHeaders() -> HTTPFields {
        var headers = HTTPFields()
        for field in fields {
            let name = field.name.lowercased()
            switch name {
            case "cache-control", "content-disposition", "content-encoding", "content-language", "content-md5", "expires": break
            default:
                guard name.hasPrefix("x-oss-"), !Self.ownOfForms.contains(name) else { continue }
            }
            guard let header = HTTPField.Name(name) else { continue }
            headers.append(HTTPField(name: header, value: field.value))
        }
        if let type = self["content-type"] ?? self["x-oss-content-type"] ?? fileType {
            headers.append(HTTPField(name: .contentType, value: type))
        }
        return headers
    }

    private static let ownOfForms: Set = [
        "x-oss-content-type", "x-oss-credential", "x-oss-date", "x-oss-security-token", "x-oss-signature", "x-oss-signature-version",
    ]

    /// The callback variables, which are separate fields in a form. (OSS API Reference, "Callback", "Use a form".)
    fileprivate var callbackVariables: String? {
        let variables = fields.filter { $0.name.hasPrefix("x:") }.map { ($0.name, JSONValue.string($0.value)) }
        return variables.isEmpty ? nil : JSONValue.object(JSONObject(variables)).serializedBytes().base64
    }
}

extension HTTPFields {
    /// Returns the MD5 in `Content-MD5`.
    fileprivate func declaredMD5() throws(OSSError) -> [UInt8]? {
        guard let text = self[.contentMD5], !text.isEmpty else { return nil }
        guard let digest = [UInt8](base64: text), digest.count == MD5.byteCount else {
            throw OSSError(.invalidDigest, nil, ["Content-MD5": text])
        }
        return digest
    }
}

extension OSSError {
    /// Returns the error for a missing form field.
    fileprivate static func missingField(_ name: String) -> OSSError {
        .invalidArgument(
            "Bucket POST must contain a field named '\(name)'.  If it is specified, please check the order of the fields.", name: name,
            value: "")
    }

    /// Creates the error for a form whose signature cannot be parsed.
    fileprivate init(_ fault: FormSignatureError) {
        self =
            switch fault {
            case .missingField(let name): .missingField(name)
            case .unsupportedAlgorithm(let value):
                .invalidArgument("The signature version is not supported.", name: "x-oss-signature-version", value: value)
            case .malformedCredential(let value, _):
                .invalidArgument("The credential is malformed.", name: "x-oss-credential", value: value)
            case .malformedDate(let value):
                .invalidArgument("The date is malformed.", name: "x-oss-date", value: value)
            }
    }

    /// Creates the error for a form that cannot be parsed, or whose file has a wrong length.
    fileprivate init(_ error: FormDataError) {
        self =
            switch error {
            case .malformed: OSSError(.malformedPOSTRequest)
            case .fieldsTooLong: OSSError(.fieldItemTooLong)
            case .repeatedField(let name, let value):
                .invalidArgument("Bucket POST must contain only one field named '\(name)'.", name: name, value: value)
            case .noFile: OSSError(.incorrectNumberOfFilesInPOSTRequest)
            case .fileTooLarge(let size, let most):
                OSSError(.entityTooLarge, nil, ["MaxSizeAllowed": String(most), "ProposedSize": String(size)])
            case .fileTooSmall(let size, let least):
                OSSError(.entityTooSmall, nil, ["MinSizeAllowed": String(least), "ProposedSize": String(size)])
            }
    }
}
