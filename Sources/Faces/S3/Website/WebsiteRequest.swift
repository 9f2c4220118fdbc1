import Calls
import Cloud
import HTTPTypes
import NIOCore
import ObjectStore
import Policy
import WireFormats

/// A browser's request to the website endpoint of a bucket. It is unsigned and has the permissions of an anonymous caller.
/// (S3 User Guide, "Hosting a static website using Amazon S3".)
struct WebsiteRequest {
    /// The equivalent anonymous request to the REST API.
    let request: S3Request
    let bucketName: String

    private var call: Call { request.call }

    func respond() async -> Response {
        do {
            return try await answer()
        } catch let error as S3Error {
            call.note(errorCode: error.code.rawValue, message: error.message)
            if let cause = error.cause { call.note(failure: cause.error) }
            return WebsitePage(error).response(call)
        } catch {
            call.note(failure: error)
            call.note(errorCode: S3Error.Code.internalError.rawValue)
            return WebsitePage(S3Error(.internalError)).response(call)
        }
    }

    private func answer() async throws -> Response {
        if call.method == .options { return try request.preflight(bucketName, isObject: call.path != "/") }
        guard call.method == .get || call.method == .head else {
            throw S3Error.methodNotAllowed(call.method, on: "OBJECT", allowed: [.get, .head])
        }
        guard let bucket = request.objects.bucket(named: bucketName, for: .aws) else { throw S3Error.noSuchBucket(bucketName) }
        guard let configuration = try request.website(of: bucket) else { throw S3Error.noSuchWebsiteConfiguration(bucketName) }
        guard let key = percentDecoded(call.path.dropFirst()) else {
            throw S3Error(.invalidURI, nil, ["URI": call.path])
        }
        switch configuration {
        case .redirectAll(let host, let scheme):
            let query = call.query.isEmpty ? "" : "?\(call.query)"
            return redirect(.movedPermanently, to: "\(scheme ?? ownScheme)://\(host)\(call.path)\(query)")
        case .pages(let pages): return try await answer(key, pages, bucket)
        }
    }

    private func answer(_ key: String, _ pages: WebsiteConfiguration.Pages, _ bucket: Bucket) async throws -> Response {
        if let rule = pages.rules.first(where: { $0.fits(key, status: nil) }) { return redirect(by: rule, key) }
        let isFolder = key.isEmpty || key.utf8.last == UInt8(ascii: "/")
        let shown = isFolder ? key + pages.indexSuffix : key
        do {
            return try await show(shown, in: bucket, to: request)
        } catch let error as S3Error {
            guard (400...499).contains(error.code.status.code), error.code != .invalidRange, error.code != .preconditionFailed
            else { throw error }
            if !isFolder, error.code == .noSuchKey || error.code == .accessDenied,
                isThere("\(key)/\(pages.indexSuffix)", in: bucket)
            {
                var page = WebsitePage(status: .found, code: "Found", message: "Resource Found").response(call)
                page.headers[.location] = call.path + "/"
                return page
            }
            if let rule = pages.rules.first(where: { $0.fits(key, status: error.code.status.code) }) {
                return redirect(by: rule, key)
            }
            return try await errorPage(error, pages, bucket)
        }
    }

    /// Returns the object under a key, or a redirect if the object has a redirect location.
    private func show(_ key: String, in bucket: Bucket, to request: S3Request) async throws -> Response {
        guard key.utf8.count <= 1024 else {
            throw S3Error(.keyTooLong, nil, ["Size": String(key.utf8.count), "MaxSizeAllowed": "1024"])
        }
        let address = ObjectAddress(bucket: bucket.name, key: key)
        let response = try await call.method == .head ? request.headObject(address) : request.getObject(address)
        if let location = response.headers[.websiteRedirectLocation] { return redirect(.movedPermanently, to: location) }
        return response
    }

    /// Whether an object exists under the key and is readable by everyone.
    private func isThere(_ key: String, in bucket: Bucket) -> Bool {
        guard case .object(let record)? = try? request.objects.head(key, in: bucket.id) else { return false }
        return (try? request.authorize(.getObject, on: bucket, object: record)) != nil
    }

    /// Returns the bucket's error document for an error.
    private func errorPage(_ error: S3Error, _ pages: WebsiteConfiguration.Pages, _ bucket: Bucket) async throws -> Response {
        guard let key = pages.errorKey else { throw error }
        call.note(errorCode: error.code.rawValue, message: error.message)
        // Conditions and ranges only apply to the requested page.
        let plain = S3Request(
            call: call, query: [:], headers: [:], authenticated: nil, bucketRules: request.bucketRules,
            events: request.events, dialect: request.dialect, regions: request.regions)
        do {
            var response = try await show(key, in: bucket, to: plain)
            guard response.status.kind == .successful else { return response }
            response.status = error.code.status
            response.headers.append(HTTPField(name: .errorCode, value: error.code.rawValue))
            response.headers.append(HTTPField(name: .errorMessage, value: error.message))
            return response
        } catch let failure as S3Error {
            if let cause = failure.cause { call.note(failure: cause.error) }
            var page = WebsitePage(error)
            page.errorDocumentFailure = failure
            return page.response(call)
        }
    }

    private var ownScheme: String { call.isSecure ? "https" : "http" }

    private func redirect(by rule: WebsiteConfiguration.RoutingRule, _ key: String) -> Response {
        let redirect = rule.redirect
        let newKey: String
        switch redirect.replacement {
        case .key(let replacement): newKey = replacement
        case .prefix(let replacement):
            newKey = replacement + String(decoding: key.utf8.dropFirst(rule.prefix?.utf8.count ?? 0), as: UTF8.self)
        case nil: newKey = key
        }
        let location =
            "\(redirect.scheme ?? ownScheme)://\(redirect.host ?? call.authority)/\(percentEncoded(newKey, keepingSlash: true))"
        return self.redirect(HTTPResponse.Status(code: redirect.status ?? 301), to: location)
    }

    private func redirect(_ status: HTTPResponse.Status, to location: String) -> Response {
        var fields = call.s3Headers()
        fields.append(HTTPField(name: .location, value: location))
        fields.append(HTTPField(name: .contentLength, value: "0"))
        return Response(status: status, headers: fields)
    }
}
