data "aws_caller_identity" "current" {}

data "aws_partition" "current" {}

data "aws_iam_policy_document" "trust" {
  statement {
    sid     = "Services"
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = local.first ? ["ec2.amazonaws.com", "lambda.amazonaws.com"] : ["ec2.amazonaws.com"]
    }
  }
  statement {
    actions = ["sts:AssumeRole", "sts:TagSession"]
    principals {
      type        = "AWS"
      identifiers = [aws_iam_user.mate.arn, data.aws_caller_identity.current.account_id]
    }
    condition {
      test     = "StringEquals"
      variable = "sts:ExternalId"
      values   = ["one", "two"]
    }
  }
}

resource "aws_iam_role" "bosun" {
  name                  = "bosun"
  path                  = "/service/"
  description           = local.first ? "Looks after the deck: é © ®" : "Looks after sails"
  max_session_duration  = local.first ? 3600 : 43200
  force_detach_policies = true
  assume_role_policy    = data.aws_iam_policy_document.trust.json
  permissions_boundary  = local.first ? aws_iam_policy.boundary.arn : null
  tags                  = local.tags
}

resource "aws_iam_role" "prefixed" {
  name_prefix        = "bosun-"
  assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = { Effect = "Allow", Principal = { AWS = "*" }, Action = "sts:AssumeRole", Condition = { Bool = { "aws:MultiFactorAuthPresent" = true } } } })
}

resource "aws_iam_role" "inline" {
  name                = "inline"
  assume_role_policy  = data.aws_iam_policy_document.trust.json
  managed_policy_arns = local.first ? [aws_iam_policy.read.arn] : ["arn:aws:iam::aws:policy/ReadOnlyAccess"]

  inline_policy {
    name   = "read"
    policy = local.read
  }

  dynamic "inline_policy" {
    for_each = local.first ? [] : [1]
    content {
      name   = "more"
      policy = local.read
    }
  }
}

resource "aws_iam_role_policy" "read" {
  name   = "read"
  role   = aws_iam_role.bosun.id
  policy = local.read
}

resource "aws_iam_role_policies_exclusive" "bosun" {
  role_name    = aws_iam_role.bosun.name
  policy_names = [aws_iam_role_policy.read.name]
}

resource "aws_iam_role_policy_attachment" "read" {
  role       = aws_iam_role.bosun.name
  policy_arn = aws_iam_policy.read.arn
}

resource "aws_iam_role_policy_attachments_exclusive" "bosun" {
  role_name   = aws_iam_role.bosun.name
  policy_arns = local.first ? [aws_iam_policy.read.arn] : [aws_iam_policy.read.arn, "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"]
}

resource "aws_iam_instance_profile" "bosun" {
  name = "bosun"
  path = "/service/"
  role = local.first ? aws_iam_role.bosun.name : aws_iam_role.inline.name
  tags = local.tags
}

resource "aws_iam_instance_profile" "empty" {
  name_prefix = "empty-"
}

resource "aws_iam_service_linked_role" "scaling" {
  aws_service_name = "autoscaling.amazonaws.com"
  custom_suffix    = "deck"
  description      = local.first ? "Scales the deck" : "Scales the hold"
  tags             = local.tags
}

resource "aws_iam_service_linked_role" "beanstalk" {
  aws_service_name = "elasticbeanstalk.amazonaws.com"
}
