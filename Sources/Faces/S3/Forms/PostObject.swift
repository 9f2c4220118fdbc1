import Calls
import Cloud
import Federation
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import RequestSigning
import WireFormats

extension S3Face {
    /// PostObject. Uploads an object with an HTML form. (S3 API Reference, "POST Object".)
    ///
    /// The signature covers the form's policy; a form without one is anonymous. The fields are converted to the headers of a PUT.
    /// - Parameter request: the original request; its own signature, if any, applies to a form without one.
    func postObject(_ name: String, _ request: S3Request) async throws -> Response {
        let call = request.call
        guard let boundary = call.headers.formBoundary else { throw S3Error(.malformedPOSTRequest) }
        guard let length = call.headers[.contentLength].flatMap({ Int64(digits: $0) }) else { throw S3Error(.missingContentLength) }
        let bucket = try request.bucket(name)
        var upload = FormUpload(boundary: boundary, call.request.body.makeAsyncIterator())
        let form = try await upload.form()
        let key = try form.key()
        let signature = try formSignature(form)
        let authenticated = try signature.map { signature throws(S3Error) in
            try authenticate(signature, call, bucket: name)
        }
        if let authenticated { try checkPage(call, authenticated, .success((name, nil))) }
        var limits = (least: Int64(0), most: BodyDeclaration.maximumLength)
        if let signature {
            let policy = try PostPolicy(s3: signature.policy)
            try policy.check(
                form, bucket: bucket.name, key: key, isExpired: policy.isExpired(signed: authenticated?.signed, by: call.cloud.clock),
                dialect: request.dialect)
            limits = policy.contentLength(upTo: limits.most)
        }
        let headers = try form.headers()
        let write = S3Request(
            call: call, query: [:], headers: headers, authenticated: authenticated ?? request.authenticated,
            bucketRules: request.bucketRules, events: request.events, dialect: request.dialect, regions: request.regions,
            keys: keys)
        try write.authorize(.putObject, on: bucket, key: key)
        let declaration = try BodyDeclaration(headers, payload: .unsigned, dialect: request.dialect)
        let record = try await write.writeObject(key, try write.input(), declaration, in: bucket, event: .objectCreatedPost) {
            try await write.receive(
                declaration, length: min(length, limits.most), default: .crc64nvme, further: bucket.furtherChecksums,
                from: upload.content(limits))
        }
        var fields = HTTPFields()
        write.append(written: record, to: &fields)
        return write.answer(toForm: form, record, in: bucket, fields)
    }

    private func formSignature(_ form: PostedForm) throws(S3Error) -> FormSignature? {
        do {
            return try FormSignature { form[$0] }
        } catch {
            throw S3Error(error)
        }
    }

    private func authenticate(
        _ signature: FormSignature, _ call: Call, bucket: String
    ) throws(S3Error) -> Authenticated {
        let region = try regions.signingRegion(
            for: call, bucket: bucket, isVirtualHosted: call.path.utf8.count <= 1, createsBucket: false)
        do {
            let authenticated = try authenticator.authenticate(signature, service: "s3", region: region)
            if let arn = authenticated.caller.arn { call.note(caller: arn) }
            return authenticated
        } catch {
            throw S3Error(error, isPresigned: false, credential: signature.credential)
        }
    }
}

extension S3Error {
    /// Creates the error for a form that cannot be parsed, or whose file has a wrong length.
    init(_ error: FormDataError) {
        self =
            switch error {
            case .malformed: S3Error(.malformedPOSTRequest)
            case .fieldsTooLong(let limit): S3Error(.maxPostPreDataLengthExceeded, nil, ["MaxPostPreDataLengthBytes": String(limit)])
            case .repeatedField(let name, let value):
                .invalidArgument("Bucket POST must contain only one field named '\(name)'.", name: name, value: value)
            case .noFile: .invalidArgument("POST requires exactly one file upload per request.", name: "file", value: "0")
            case .fileTooLarge(let size, let most):
                S3Error(.entityTooLarge, nil, ["ProposedSize": String(size), "MaxSizeAllowed": String(most)])
            case .fileTooSmall(let size, let least):
                S3Error(.entityTooSmall, nil, ["ProposedSize": String(size), "MinSizeAllowed": String(least)])
            }
    }
}
