import NIOCore

/// A form on its way in: first its fields, then the content of its file.
struct FormUpload<Source: AsyncIteratorProtocol & Sendable> where Source.Element == ByteBuffer {
    private var parser: FormDataParser
    private var source: Source

    init(boundary: String, _ source: Source) {
        parser = FormDataParser(boundary: boundary)
        self.source = source
    }

    /// Reads everything before the content of the file.
    /// - Throws: `MalformedPOSTRequest`, `MaxPostPreDataLengthExceeded`; `InvalidArgument` where there is no file.
    mutating func form() async throws -> PostForm {
        var form = PostForm()
        while let event = try await next() {
            switch event {
            case .field(let name, let value): form.fields.append(PostForm.Field(name: name, value: value))
            case .file(let name):
                form.filename = name
                return form
            case .content, .end: break
            }
        }
        throw S3Error.invalidArgument("POST requires exactly one file upload per request.", name: "file", value: "0")
    }

    /// The content of the file, which must keep to a length.
    func content(_ limits: (least: Int64, most: Int64)) -> FormContent<Source> {
        FormContent(upload: self, limits: limits)
    }

    fileprivate mutating func next() async throws -> FormDataParser.Event? {
        while true {
            if let event = try parser.next() { return event }
            guard let buffer = try await source.next() else {
                try parser.finish()
                return nil
            }
            parser.take(buffer)
        }
    }
}

/// The content of a form's file in the pieces in which it arrives.
///
/// A file that is too long is read to its end and not handed out, so that the refusal can say how long it is. What follows the
/// file is read too: the client hears the answer only when it has sent everything.
struct FormContent<Source: AsyncIteratorProtocol & Sendable>: AsyncSequence where Source.Element == ByteBuffer {
    fileprivate let upload: FormUpload<Source>
    fileprivate let limits: (least: Int64, most: Int64)

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var upload: FormUpload<Source>
        fileprivate let limits: (least: Int64, most: Int64)
        private var size: Int64 = 0

        fileprivate init(upload: FormUpload<Source>, limits: (least: Int64, most: Int64)) {
            self.upload = upload
            self.limits = limits
        }

        /// - Throws: `EntityTooLarge`, `EntityTooSmall` at the end of the file; `MalformedPOSTRequest` where that does not come.
        mutating func next() async throws -> ByteBuffer? {
            while let event = try await upload.next() {
                guard case .content(let buffer) = event else { continue }
                size += Int64(buffer.readableBytes)
                if size <= limits.most { return buffer }
            }
            guard size <= limits.most else {
                throw S3Error(
                    .entityTooLarge, nil, ["ProposedSize": String(size), "MaxSizeAllowed": String(limits.most)])
            }
            guard size >= limits.least else {
                throw S3Error(
                    .entityTooSmall, nil, ["ProposedSize": String(size), "MinSizeAllowed": String(limits.least)])
            }
            return nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(upload: upload, limits: limits) }
}
