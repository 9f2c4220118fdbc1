package import NIOCore
import WireFormats

/// A form that is being received: first its fields, then the content of its file.
package struct FormUpload<Source: AsyncIteratorProtocol & Sendable> where Source.Element == ByteBuffer {
    private var parser: FormDataParser
    private var source: Source

    /// Creates the upload of one form.
    /// - Parameter boundary: 1 to 70 bytes, without leading hyphens.
    package init(boundary: String, _ source: Source) {
        parser = FormDataParser(boundary: boundary)
        self.source = source
    }

    /// Reads all fields before the content of the file.
    ///
    /// A repeated field is refused: a policy would be checked against one value, and the object could have the other. No source says what
    /// S3 and OSS do.
    /// - Throws: `FormDataError`, or the connection's error.
    package mutating func form() async throws -> PostedForm {
        var form = PostedForm()
        var names: Set<String> = []
        while let event = try await next() {
            switch event {
            case .field(let name, let value):
                let folded = name.lowercased()
                // No service reads these fields. (S3 API Reference, "POST Policy".)
                guard folded.hasPrefix("x-ignore-") || names.insert(folded).inserted else {
                    throw FormDataError.repeatedField(name: name, value: value)
                }
                form.fields.append(PostedForm.Field(name: name, value: value))
            case .file(let name, let type):
                form.filename = name
                form.fileType = type
                return form
            case .content, .end: break
            }
        }
        throw FormDataError.noFile
    }

    /// Returns the content of the file, whose length must be within the limits.
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

/// The content of a form's file as a sequence of chunks.
///
/// A file that is too long is read to its end without returning it, because the error contains its length. The rest of the form is read
/// too, because clients read the response only after sending everything.
package struct FormContent<Source: AsyncIteratorProtocol & Sendable>: AsyncSequence where Source.Element == ByteBuffer {
    fileprivate let upload: FormUpload<Source>
    fileprivate let limits: (least: Int64, most: Int64)

    /// Reads the file of a form in chunks.
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var upload: FormUpload<Source>
        fileprivate let limits: (least: Int64, most: Int64)
        private var size: Int64 = 0

        fileprivate init(upload: FormUpload<Source>, limits: (least: Int64, most: Int64)) {
            self.upload = upload
            self.limits = limits
        }

        /// Returns the next chunk; `nil` at the end.
        /// - Throws: `FormDataError` at the end of the file if its length is outside the limits, or if the form is incomplete.
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

    /// Returns the iterator. The file can be read only once.
    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(upload: upload, limits: limits) }
}
