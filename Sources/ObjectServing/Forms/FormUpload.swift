package import NIOCore

/// A form on its way in: first its fields, then the content of its file.
package struct FormUpload<Source: AsyncIteratorProtocol & Sendable> where Source.Element == ByteBuffer {
    private var parser: FormDataParser
    private var source: Source

    /// - Parameter boundary: 1 to 70 bytes, without the hyphens before it.
    package init(boundary: String, _ source: Source) {
        parser = FormDataParser(boundary: boundary)
        self.source = source
    }

    /// Reads everything before the content of the file.
    /// - Throws: `FormDataError`, or the connection's error.
    package mutating func form() async throws -> PostedForm {
        var form = PostedForm()
        while let event = try await next() {
            switch event {
            case .field(let name, let value): form.fields.append(PostedForm.Field(name: name, value: value))
            case .file(let name, let type):
                form.filename = name
                form.fileType = type
                return form
            case .content, .end: break
            }
        }
        throw FormDataError.noFile
    }

    /// The content of the file, which must keep to a length.
    package func content(_ limits: (least: Int64, most: Int64)) -> FormContent<Source> {
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
package struct FormContent<Source: AsyncIteratorProtocol & Sendable>: AsyncSequence where Source.Element == ByteBuffer {
    fileprivate let upload: FormUpload<Source>
    fileprivate let limits: (least: Int64, most: Int64)

    /// Takes the file of a form piece by piece.
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var upload: FormUpload<Source>
        fileprivate let limits: (least: Int64, most: Int64)
        private var size: Int64 = 0

        fileprivate init(upload: FormUpload<Source>, limits: (least: Int64, most: Int64)) {
            self.upload = upload
            self.limits = limits
        }

        /// - Throws: `FormDataError`: what is wrong with its length at the end of the file, or that this does not come.
        package mutating func next() async throws -> ByteBuffer? {
            while let event = try await upload.next() {
                guard case .content(let buffer) = event else { continue }
                size += Int64(buffer.readableBytes)
                if size <= limits.most { return buffer }
            }
            guard size <= limits.most else {
                throw FormDataError.fileTooLarge(size: size, most: limits.most)
            }
            guard size >= limits.least else {
                throw FormDataError.fileTooSmall(size: size, least: limits.least)
            }
            return nil
        }
    }

    /// The file can be taken once.
    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(upload: upload, limits: limits) }
}
