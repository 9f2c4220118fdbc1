import Cloud
import Exchange
import Federation
import HTTPTypes
import NIOCore
import RequestSigning
import WireFormats

extension S3Face {
    /// PostObject: a browser's form instead of a PUT. (S3 API Reference, "POST Object".)
    ///
    /// The signature covers the form's policy; a form without one is anonymous. The fields then stand for the headers of a PUT.
    /// - Parameter request: as it came; its own signature, if it has one, counts where the form has none.
    func postObject(_ name: String, _ request: S3Request) async throws -> Response {
        let exchange = request.exchange
        guard let boundary = formBoundary(exchange.headers) else { throw S3Error(.malformedPOSTRequest) }
        guard let length = exchange.headers[.contentLength].flatMap({ Int64($0) }) else { throw S3Error(.missingContentLength) }
        let bucket = try request.bucket(name)
        var upload = FormUpload(boundary: boundary, exchange.request.body.makeAsyncIterator())
        let form = try await upload.form()
        let key = try form.key()
        let signature = try formSignature(form)
        let authenticated = try signature.map { signature throws(S3Error) in try authenticate(signature, exchange) }
        var limits = (least: Int64(0), most: BodyDeclaration.maximumLength)
        if let signature {
            let policy = try PostPolicy(base64: signature.policy)
            try policy.check(
                form, bucket: bucket.name, key: key, isExpired: isExpired(policy, authenticated, exchange.cloud.clock),
                dialect: request.dialect)
            limits = policy.contentLength(upTo: limits.most)
        }
        let headers = try form.headers()
        let write = S3Request(
            exchange: exchange, query: [:], headers: headers, authenticated: authenticated ?? request.authenticated,
            bucketRules: request.bucketRules, events: request.events, dialect: request.dialect)
        try write.authorize(.putObject, on: bucket, key: key)
        let declaration = try BodyDeclaration(headers, payload: .unsigned, dialect: request.dialect)
        let record = try await write.writeObject(key, headers, in: bucket, event: .objectCreatedPost) {
            try await write.receive(
                declaration, length: min(length, limits.most), default: .crc64nvme, from: upload.content(limits))
        }
        var fields = HTTPFields()
        write.append(written: record, to: &fields)
        return write.answer(toForm: form, record, in: bucket, fields)
    }

    private func formSignature(_ form: PostForm) throws(S3Error) -> FormSignature? {
        do {
            return try FormSignature { form[$0] }
        } catch {
            throw S3Error(error)
        }
    }

    private func authenticate(_ signature: FormSignature, _ exchange: Exchange) throws(S3Error) -> Authenticated {
        do {
            let authenticated = try authenticator.authenticate(signature, service: "s3")
            if let arn = authenticated.caller.arn { exchange.note(caller: arn) }
            return authenticated
        } catch {
            throw S3Error(error, isPresigned: false, credential: signature.credential)
        }
    }

    /// A form of Version 4 says when it was signed, by the wall clock, and so lives and ages in the sandbox's time; of others the end
    /// is all that is known, by the wall clock.
    private func isExpired(_ policy: PostPolicy, _ authenticated: Authenticated?, _ clock: SandboxClock) -> Bool {
        guard let signed = authenticated?.signed else { return policy.expiration <= clock.wall }
        let moment = clock.moment(ofWall: signed)
        return clock.hasExpired(policy.expiration + (moment - signed), issuedAt: moment)
    }

    /// The boundary that `Content-Type` names: 1 to 70 characters (RFC 2046 section 5.1.1).
    private func formBoundary(_ headers: HTTPFields) -> String? {
        guard let contentType = headers[.contentType] else { return nil }
        var scanner = ParameterScanner(rest: Array(contentType.utf8)[...])
        guard scanner.token() != nil else { return nil }
        while let (name, value) = scanner.parameter() {
            if name == "boundary" { return (1...70).contains(value.utf8.count) ? value : nil }
        }
        return nil
    }
}
