{{/* The plain settings as a map of environment variables; config.publicUrl becomes PUBLIC_URL. */}}
{{- define "tradepost.config" -}}
{{- $env := dict "PORT" "8080" "CACHE_DIR" "/cache" "METRICS_PORT" (ternary "9090" "0" .Values.metrics.enabled) "METRICS_HOST" (ternary "0.0.0.0" "127.0.0.1" .Values.metrics.enabled) }}
{{- if .Values.persistence.enabled }}
{{- $_ := set $env "IMAGE_DIR" "/data/images" }}
{{- end }}
{{- range $key, $value := .Values.config }}
{{- if not (or (kindIs "invalid" $value) (eq (toString $value) "")) }}
{{- $words := regexReplaceAll "([A-Z])([A-Z][a-z])" $key "${1}_${2}" }}
{{- $name := regexReplaceAll "([a-z0-9])([A-Z])" $words "${1}_${2}" | upper }}
{{- /* Helm hands over numbers as floats: 100000 would print as 1e+05. */}}
{{- $_ := set $env $name (kindIs "float64" $value | ternary (toJson $value) (toString $value)) }}
{{- end }}
{{- end }}
{{- toYaml $env }}
{{- end }}


{{/* Where the database is: from the operator's cluster, from a Secret of its own, or from the one Secret. */}}
{{- define "tradepost.databaseEnv" -}}
{{- $db := include "tradepost.databaseName" . }}
{{- $from := dict }}
{{- if .Values.cnpg.enabled }}
{{- $pooled := .Values.cnpg.pooler.enabled }}
{{- $address := "postgresql://$(CNPG_USERNAME):$(CNPG_PASSWORD)@%s:5432/tradepost" }}
{{- $_ := set $from "CNPG_USERNAME" (dict "secret" (printf "%s-app" $db) "key" "username") }}
{{- $_ := set $from "CNPG_PASSWORD" (dict "secret" (printf "%s-app" $db) "key" "password") }}
{{- $_ := set $from "DATABASE_URL" (dict "value" (printf $address (printf "%s-%s" $db (ternary "pooler" "rw" $pooled)))) }}
{{- if $pooled }}
{{- $_ := set $from "DATABASE_DIRECT_URL" (dict "value" (printf $address (printf "%s-rw" $db))) }}
{{- end }}
{{- if and .Values.cnpg.replicaReads (gt (int .Values.cnpg.instances) 1) }}
{{- $_ := set $from "DATABASE_REPLICA_URL" (dict "value" (printf $address (printf "%s-ro" $db))) }}
{{- end }}
{{- else if .Values.database.existingSecret }}
{{- $keys := .Values.database.existingSecretKeys }}
{{- range $name, $key := dict "DATABASE_URL" $keys.url "DATABASE_DIRECT_URL" $keys.directUrl "DATABASE_REPLICA_URL" $keys.replicaUrl }}
{{- if $key }}
{{- $_ := set $from $name (dict "secret" $.Values.database.existingSecret "key" $key) }}
{{- end }}
{{- end }}
{{- else }}
{{- $_ := set $from "DATABASE_URL" (dict) }}
{{- $_ := set $from "DATABASE_DIRECT_URL" (dict "optional" true) }}
{{- $_ := set $from "DATABASE_REPLICA_URL" (dict "optional" true) }}
{{- end }}
{{- toYaml $from }}
{{- end }}

{{/* Secret variables as a list, each name once, extraEnv winning. dict "ctx" $ "secret" NAME ["database" true: those alone] */}}
{{- define "tradepost.env" -}}
{{- $ctx := .ctx }}
{{- $secret := .secret }}
{{- $from := include "tradepost.databaseEnv" $ctx | fromYaml }}
{{- if not .database }}
{{- range list "SESSION_KEYS" "X_CLIENT_SECRET" }}
{{- $_ := set $from . (dict) }}
{{- end }}
{{- range list "TOKEN_ENC_KEY" "S3_ACCESS_KEY_ID" "S3_SECRET_ACCESS_KEY" "SMTP_URL" "VAPID_PRIVATE_KEY" "METRICS_TOKEN" }}
{{- $_ := set $from . (dict "optional" true) }}
{{- end }}
{{- end }}
{{- $env := dict }}
{{- range $name, $source := $from }}
{{- if hasKey $source "value" }}
{{- $_ := set $env $name (dict "value" $source.value) }}
{{- else }}
{{- $key := default (default $name (get $ctx.Values.secrets.existingSecretKeys $name)) $source.key }}
{{- $ref := dict "name" (default $secret $source.secret) "key" $key }}
{{- if $source.optional }}{{ $_ := set $ref "optional" true }}{{ end }}
{{- $_ := set $env $name (dict "valueFrom" (dict "secretKeyRef" $ref)) }}
{{- end }}
{{- end }}
{{- range $ctx.Values.extraEnv }}
{{- $_ := set $env .name (omit . "name") }}
{{- end }}
{{- /* In the order of names: $(CNPG_…) is expanded only in variables that come after it, and C comes before D. */}}
{{- range $name, $source := $env }}
- name: {{ $name }}
  {{- toYaml $source | nindent 2 }}
{{- end }}
{{- end }}
