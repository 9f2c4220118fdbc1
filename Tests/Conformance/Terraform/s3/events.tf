# Notifications to each kind of target, and replication.

locals {
  targets = "us-east-1:${data.aws_caller_identity.me.account_id}"
}

resource "aws_s3_bucket" "events" {
  bucket = "terraform-events"
}

resource "aws_s3_bucket_notification" "events" {
  bucket      = aws_s3_bucket.events.id
  eventbridge = local.first
  topic {
    id            = "to-topic"
    topic_arn     = "arn:aws:sns:${local.targets}:topic"
    events        = local.first ? ["s3:ObjectCreated:*"] : ["s3:ObjectCreated:Put", "s3:ObjectTagging:*"]
    filter_suffix = ".log"
  }
  queue {
    queue_arn     = "arn:aws:sqs:${local.targets}:queue"
    events        = ["s3:ObjectRemoved:*"]
    filter_prefix = local.first ? "images/" : "pictures/"
  }
  queue {
    id        = "to-queue-restored"
    queue_arn = "arn:aws:sqs:${local.targets}:queue"
    events    = ["s3:ObjectRestore:Completed", "s3:ReducedRedundancyLostObject"]
  }
  lambda_function {
    id                  = "to-function"
    lambda_function_arn = "arn:aws:lambda:${local.targets}:function:function"
    events              = ["s3:ObjectCreated:Put"]
    filter_prefix       = "a/"
    filter_suffix       = local.first ? ".jpg" : ".png"
  }
}

resource "aws_s3_bucket" "source" {
  bucket        = "terraform-source"
  force_destroy = true
}

resource "aws_s3_bucket_versioning" "source" {
  bucket = aws_s3_bucket.source.id
  versioning_configuration { status = "Enabled" }
}

resource "aws_s3_bucket" "replica" {
  bucket        = "terraform-replica"
  force_destroy = true
}

resource "aws_s3_bucket_versioning" "replica" {
  bucket = aws_s3_bucket.replica.id
  versioning_configuration { status = "Enabled" }
}

resource "aws_iam_role" "replication" {
  name = "terraform-replication"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Principal = { Service = "s3.amazonaws.com" }, Action = "sts:AssumeRole" }]
  })
}

resource "aws_s3_bucket_replication_configuration" "source" {
  depends_on = [aws_s3_bucket_versioning.replica]
  bucket     = aws_s3_bucket_versioning.source.bucket
  role       = aws_iam_role.replication.arn
  rule {
    id       = "prefix"
    priority = local.first ? 1 : 10
    status   = local.first ? "Enabled" : "Disabled"
    filter { prefix = local.first ? "documents/" : "papers/" }
    delete_marker_replication { status = local.first ? "Enabled" : "Disabled" }
    existing_object_replication { status = "Enabled" }
    destination {
      bucket        = aws_s3_bucket.replica.arn
      storage_class = local.first ? "STANDARD" : "STANDARD_IA"
      account       = data.aws_caller_identity.me.account_id
      access_control_translation { owner = "Destination" }
      metrics {
        status = "Enabled"
        event_threshold { minutes = 15 }
      }
      replication_time {
        status = "Enabled"
        time { minutes = 15 }
      }
    }
  }
  rule {
    id       = "tag"
    priority = 2
    status   = "Enabled"
    filter {
      tag {
        key   = "replicate"
        value = local.first ? "yes" : "now"
      }
    }
    delete_marker_replication { status = "Disabled" }
    source_selection_criteria {
      replica_modifications { status = "Enabled" }
      sse_kms_encrypted_objects { status = local.first ? "Enabled" : "Disabled" }
    }
    destination {
      bucket = aws_s3_bucket.replica.arn
      encryption_configuration {
        replica_kms_key_id = "arn:aws:kms:us-east-1:${data.aws_caller_identity.me.account_id}:key/5b9c5a2e-6f2b-4c11-9a53-0f3d1d4f7a10"
      }
    }
  }
  rule {
    id       = "both"
    priority = 3
    status   = "Enabled"
    filter {
      and {
        prefix = "both/"
        tags   = { a = "1", b = "2" }
      }
    }
    delete_marker_replication { status = "Disabled" }
    destination { bucket = aws_s3_bucket.replica.arn }
  }
  rule {
    id       = "everything"
    priority = 4
    status   = "Enabled"
    filter {}
    delete_marker_replication { status = "Enabled" }
    destination { bucket = aws_s3_bucket.replica.arn }
  }
}

# A rule of the first version of the schema.
resource "aws_s3_bucket" "old_source" {
  bucket = "terraform-old-source"
}

resource "aws_s3_bucket_versioning" "old_source" {
  bucket = aws_s3_bucket.old_source.id
  versioning_configuration { status = "Enabled" }
}

resource "aws_s3_bucket_replication_configuration" "old_source" {
  depends_on = [aws_s3_bucket_versioning.replica]
  bucket     = aws_s3_bucket_versioning.old_source.bucket
  role       = aws_iam_role.replication.arn
  rule {
    id     = "old"
    prefix = local.first ? "documents/" : "papers/"
    status = "Enabled"
    destination {
      bucket        = aws_s3_bucket.replica.arn
      storage_class = "STANDARD"
    }
  }
}
