data "aws_iam_policy_document" "read" {
  policy_id = local.first ? null : "reading"

  statement {
    sid           = "Everything"
    effect        = "Allow"
    not_actions   = ["iam:*"]
    not_resources = ["arn:${data.aws_partition.current.partition}:s3:::secret/*"]
    condition {
      test     = "DateLessThan"
      variable = "aws:CurrentTime"
      values   = [local.first ? "2040-01-01T00:00:00Z" : "2041-01-01T00:00:00Z"]
    }
    condition {
      test     = "ForAnyValue:StringLike"
      variable = "aws:TagKeys"
      values   = ["a*", "b?"]
    }
  }
  statement {
    effect    = "Deny"
    actions   = ["s3:DeleteBucket"]
    resources = ["arn:aws:s3:::&{aws:username}-*"]
  }
}

resource "aws_iam_policy" "read" {
  name        = "read"
  path        = "/deck/"
  description = "Reads everything"
  policy      = data.aws_iam_policy_document.read.json
  tags        = local.tags
}

resource "aws_iam_policy" "boundary" {
  name_prefix = "boundary-"
  policy      = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "*", Resource = "*" }] })
}

resource "aws_iam_policy" "shared" {
  name   = "shared"
  policy = local.read
}

resource "aws_iam_policy_attachment" "shared" {
  name       = "shared"
  policy_arn = aws_iam_policy.shared.arn
  users      = local.first ? [aws_iam_user.cook.name] : []
  groups     = [aws_iam_group.shared.name]
  roles      = local.first ? [aws_iam_role.prefixed.name] : [aws_iam_role.prefixed.name, aws_iam_role.plain.name]
}

resource "aws_iam_role" "plain" {
  name               = "plain"
  assume_role_policy = data.aws_iam_policy_document.trust.json
}
