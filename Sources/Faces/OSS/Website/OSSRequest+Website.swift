import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectStore
import Policy
import WireFormats

/// Requests to buckets with static website hosting. Browser requests are unsigned and have the permissions of an anonymous caller.
/// (OSS User Guide, "Static website hosting".)
extension OSSRequest {
    /// Returns the response to a request to a bucket with static website hosting.
    /// - Returns: `nil` if the request or the bucket's configuration does not concern a website.
    func respondAsWebsite(_ operation: OSSOperation) async throws -> Response? {
        guard authenticated == nil else { return try await respondWithIndex(operation) }
        guard address.isHostStyle, let name = address.bucket else { return nil }
        switch operation {
        case .bucket(_, .listObjects) where query.fields.isEmpty, .object(_, .getObject), .object(_, .headObject): break
        default: return nil
        }
        let bucket = try bucket(name)
        guard let element = try configuration(.ossWebsite, of: bucket) else { return nil }
        return try await answer(address.key ?? "", OSSWebsite(element), operation, bucket)
    }

    /// Responds to a signed request for a folder that does not exist as an object with the folder's index page. (As the tests of the SDK
    /// for Python expect of the real service.)
    private func respondWithIndex(_ operation: OSSOperation) async throws -> Response? {
        guard case .object(let address, .getObject) = operation, address.key.utf8.last == UInt8(ascii: "/"), query["versionId"] == nil,
            let bucket = objects.bucket(named: address.bucket, for: .alibaba), let element = try configuration(.ossWebsite, of: bucket),
            case .nothing? = try? objects.head(address.key, in: bucket.id)
        else { return nil }
        let website = OSSWebsite(element)
        guard let suffix = website.indexSuffix else { return nil }
        do {
            return try await show(website.hasFolderIndices ? address.key + suffix : suffix, in: bucket)
        } catch let error as OSSError where error.code == OSSError.Code.noSuchKey.rawValue {
            return nil
        }
    }

    private func answer(_ key: String, _ website: OSSWebsite, _ operation: OSSOperation, _ bucket: Bucket) async throws -> Response {
        if let redirected = try await redirect(key, status: nil, website, bucket) { return redirected }
        var shown = key
        if key.isEmpty || key.utf8.last == UInt8(ascii: "/"), let suffix = website.indexSuffix {
            shown = website.hasFolderIndices ? key + suffix : suffix
        }
        do {
            return shown.isEmpty ? try await perform(operation) : try await show(shown, in: bucket)
        } catch let error as OSSError {
            if let redirected = try await redirect(key, status: error.status.code, website, bucket) { return redirected }
            guard error.code == OSSError.Code.noSuchKey.rawValue else { throw error }
            if let found = try await folder(key, website, bucket) { return found }
            guard let page = website.errorKey, var response = await errorDocument(page, in: bucket) else { throw error }
            call.note(errorCode: error.code, message: error.message)
            response.status = HTTPResponse.Status(code: website.errorStatus)
            return response
        }
    }

    private func show(_ key: String, in bucket: Bucket) async throws -> Response {
        let address = OSSObjectAddress(bucket: bucket.name, key: key)
        return try await perform(.object(address, call.method == .head ? .headObject : .getObject))
    }

    /// The bucket's error document; `nil` if it cannot be shown.
    private func errorDocument(_ page: String, in bucket: Bucket) async -> Response? {
        do { return try await showError(page, in: bucket) } catch let error as OSSError {
            if let cause = error.cause { call.note(failure: cause.error) }
        } catch {
            call.note(failure: error)
        }
        return nil
    }

    /// Returns an error page. Conditions and ranges only apply to the requested page.
    private func showError(_ page: String, in bucket: Bucket) async throws -> Response {
        call.method == .head
            ? try headObject(page, in: bucket, isConditional: false)
            : try await getObject(page, in: bucket, isConditional: false)
    }

    /// Returns the response for a missing key that is the name of a folder with an index page. An index page that the caller may not read
    /// is ignored, so that its existence is not disclosed.
    private func folder(_ key: String, _ website: OSSWebsite, _ bucket: Bucket) async throws -> Response? {
        guard let suffix = website.indexSuffix, website.hasFolderIndices, !key.isEmpty, key.utf8.last != UInt8(ascii: "/"),
            website.folders != .missing, let index = try current("\(key)/\(suffix)", in: bucket),
            try decide(.getObject, on: bucket, key: index.key, object: index).decision.isAllowed
        else { return nil }
        if website.folders == .show { return try await show("\(key)/\(suffix)", in: bucket) }
        return answer(.found, [.location: "/\(percentEncoded(key, keepingSlash: true))/"])
    }

    /// Returns the response of the first routing rule that matches; `nil` if none does, or if the rule is for mirroring.
    private func redirect(_ key: String, status: Int?, _ website: OSSWebsite, _ bucket: Bucket) async throws -> Response? {
        let rule = website.rules.first { rule in
            rule.fits(key, status: status) { name in HTTPField.Name(name).flatMap { headers.value(of: $0) } }
        }
        guard let rule, let redirect = rule.redirect else { return nil }
        let newKey = redirect.newKey(for: key, matched: rule.prefix)
        switch redirect.kind {
        case .mirror: return nil
        case .internal: return try await show(newKey, in: bucket)
        case .external, .aliCDN:
            let scheme = redirect.scheme ?? (call.isSecure ? "https" : "http")
            let query = redirect.passesQuery && !call.query.isEmpty ? "?\(call.query)" : ""
            let path = percentEncoded(newKey, keepingSlash: true)
            return answer(
                HTTPResponse.Status(code: redirect.status),
                [.location: "\(scheme)://\(redirect.host ?? call.authority)/\(path)\(query)"])
        }
    }
}
