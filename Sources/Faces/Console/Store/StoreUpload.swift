import Calls
import Cryptography
import HTTPTypes
import NIOCore
import ObjectServing
import WireFormats

extension ConsoleFace {
    /// Answers the form that uploads an object. Its file is stored while it arrives.
    /// - Parameter isOfPage: returns whether the form has the token of a page.
    func upload(_ visit: Visit, boundary: String, isOfPage: (Visit) -> Bool) async throws -> Response {
        var visit = visit
        var form = FormUpload(boundary: boundary, visit.call.request.body.makeAsyncIterator())
        do {
            let fields = try await form.form()
            visit.form.fields = fields.fields.map { .init(name: $0.name, value: $0.value) }
            guard isOfPage(visit) else { throw ConsoleRefusal.staleForm }
            let segments = visit.segments
            guard segments.count == 3, segments[0] == "store", segments[2] == "upload" else { throw ConsoleRefusal.noSuchAction }
            let scene = try await StoreScene(visit, StoreActions.location(of: visit, bucket: segments[1]), storeResults)
            var upload = StoreUpload(scene: scene, fileName: fields.filename, fileType: fields.fileType)
            return try await upload.store(form.content((least: 0, most: .max)))
        } catch FormDataError.noFile {
            throw ConsoleRefusal(code: "no_file", message: "The form has no file. Choose one.")
        } catch is FormDataError {
            throw ConsoleRefusal(code: "malformed_form", message: "The form is not well encoded, or its fields are too long.")
        }
    }
}

/// An upload of one object: short files in one request, longer ones in parts, so that only one part is in memory.
struct StoreUpload {
    /// The size of a part in bytes. S3 and OSS accept 10,000 parts.
    private static let partSize = 8 << 20

    let scene: StoreScene
    let fileName: String?
    let fileType: String?
    private var requests: SignedRequests { SignedRequests(scene: scene) }

    init(scene: StoreScene, fileName: String?, fileType: String?) {
        (self.scene, self.fileName, self.fileType) = (scene, fileName, fileType)
    }

    /// Stores the file of a form.
    mutating func store(_ content: FormContent<RequestBody.AsyncIterator>) async throws -> Response {
        var reader = PartReader(content.makeAsyncIterator(), size: Self.partSize)
        guard let name = [scene.visit.form.value("name"), fileName].compactMap(\.self).first(where: { !$0.isEmpty }) else {
            try await reader.drain()
            throw ConsoleRefusal(code: "no_name", message: "Choose a file, or type a name for an empty object.")
        }
        let key = scene.location.prefix + name
        let object = scene.location.object(key)
        let typed = scene.visit.form.value("type")?.trimmed
        var headers = ["Content-Type": typed ?? fileType ?? "application/octet-stream"]
        let first = try await reader.next()
        let exchange: Exchange
        if reader.isAtEnd {
            headers["Content-MD5"] = Self.digest(of: first)
            let response = try await requests.send(.put, object.target(), headers: headers, body: first)
            exchange = await requests.exchange("Upload \(key)", "PUT", object.target(), headers, response)
        } else {
            exchange = try await storeParts(first, &reader, object, headers)
        }
        // Browsers read the response only after they sent everything.
        try await reader.drain()
        if exchange.isSuccess { return try scene.show(StoreResult(exchange: exchange, uploaded: object), at: scene.location) }
        return try scene.show(StoreResult(exchange: exchange), at: scene.location)
    }

    /// Returns the value of `Content-MD5`, which S3 requires for buckets with a default retention.
    private static func digest(of body: ByteBuffer) -> String { MD5.hash(Array(body.readableBytesView)).base64 }

    private func storeParts(
        _ first: ByteBuffer, _ reader: inout PartReader, _ object: StoreLocation, _ headers: [String: String]
    ) async throws -> Exchange {
        let title = "Upload \(object.key ?? "")"
        let started = try await scene.send(title, "POST", object.target() + "?uploads", headers: headers)
        guard started.isSuccess, let id = started.xml?.child("UploadId")?.text else { return started }
        do {
            var parts: [HTML] = []
            var part = first
            while true {
                let target = object.target(["partNumber": String(parts.count + 1), "uploadId": id])
                let response = try await requests.send(.put, target, headers: ["Content-MD5": Self.digest(of: part)], body: part)
                guard response.status == .ok, let tag = response.headers[.eTag] else {
                    _ = try await scene.send("Abort", "DELETE", object.target(["uploadId": id]))
                    return await requests.exchange(title, "PUT", target, [:], response)
                }
                parts.append("<Part><PartNumber>\(String(parts.count + 1))</PartNumber><ETag>\(tag)</ETag></Part>")
                if reader.isAtEnd { break }
                part = try await reader.next()
            }
            let document: HTML = "<CompleteMultipartUpload>\(parts)</CompleteMultipartUpload>"
            return try await scene.send(title, "POST", object.target(["uploadId": id]), body: document.text)
        } catch {
            _ = try await scene.send("Abort", "DELETE", object.target(["uploadId": id]))
            throw error
        }
    }
}

/// Reads the content of a form's file in parts of equal size.
private struct PartReader {
    private var content: FormContent<RequestBody.AsyncIterator>.AsyncIterator
    private var rest = ByteBuffer()
    private let size: Int
    /// Whether the last part was the end of the file.
    private(set) var isAtEnd = false

    init(_ content: FormContent<RequestBody.AsyncIterator>.AsyncIterator, size: Int) { (self.content, self.size) = (content, size) }

    /// Returns the next part. Only the last one is shorter than the others.
    mutating func next() async throws -> ByteBuffer {
        while rest.readableBytes <= size {
            guard var buffer = try await content.next() else {
                isAtEnd = true
                defer { rest = ByteBuffer() }
                return rest
            }
            rest.writeBuffer(&buffer)
        }
        let part = rest.readSlice(length: size) ?? ByteBuffer()
        rest.discardReadBytes()
        return part
    }

    /// Reads the file to its end.
    mutating func drain() async throws {
        guard !isAtEnd else { return }
        while try await content.next() != nil {}
        isAtEnd = true
    }
}
