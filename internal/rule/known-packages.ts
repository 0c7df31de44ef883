/**
 * Packages that everybody knows: a name that a model has made up, or that is spelt nearly like one of these, is not among
 * them. Kept short on purpose: what agents add every day, not what a registry holds. A scope belongs to one owner, so a
 * known scope stands for all in it.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

const NPM = words(`
  typescript ts-node tsx tsup esbuild vite vitest vite-node webpack webpack-cli webpack-dev-server rollup parcel swc turbo nx lerna
  rimraf cross-env concurrently npm-run-all npm-run-all2 nodemon dotenv dotenv-cli env-cmd husky lint-staged commitizen semantic-release
  standard-version release-it np eslint prettier stylelint markdownlint-cli markdownlint-cli2 jshint standard xo knip depcheck madge ncc
  jest ts-jest babel-jest jest-environment-jsdom mocha chai sinon nyc c8 ava tap supertest nock msw jsdom happy-dom cypress playwright
  playwright-core puppeteer puppeteer-core karma jasmine storybook sb lighthouse pa11y newman artillery autocannon axe-core
  react react-dom react-router react-router-dom react-hook-form react-query react-redux react-native react-scripts redux zustand jotai recoil
  mobx formik next gatsby vue vue-router vuex pinia nuxt svelte solid-js preact lit alpinejs htmx.org jquery astro angular ember-cli expo expo-cli
  express fastify koa hono nestjs hapi cors helmet morgan body-parser cookie-parser express-session multer passport compression ws socket.io
  socket.io-client axios got node-fetch undici superagent ky graphql graphql-request apollo-server urql
  lodash lodash-es underscore ramda dayjs moment date-fns luxon uuid nanoid zod yup joi ajv valibot class-validator class-transformer rxjs immer
  async bluebird p-limit p-queue p-map p-retry execa zx shelljs commander yargs minimist meow inquirer prompts chalk picocolors kleur ora debug
  pino pino-pretty winston bunyan glob fast-glob globby chokidar fs-extra mkdirp tmp semver js-yaml yaml toml ini csv-parse csv-stringify papaparse
  cheerio xml2js fast-xml-parser marked markdown-it remark rehype gray-matter handlebars ejs pug mustache nunjucks sharp jimp canvas pdfkit pdf-lib
  exceljs xlsx archiver tar jszip mime nodemailer stripe twilio openai ai langchain tiktoken
  prisma drizzle-orm drizzle-kit typeorm sequelize sequelize-cli knex mongoose mongodb pg pg-promise postgres mysql mysql2 sqlite3 better-sqlite3
  redis ioredis bull bullmq amqplib kafkajs firebase firebase-admin firebase-tools supabase wrangler vercel netlify-cli serverless aws-cdk aws-cdk-lib
  aws-sdk cdktf sst pm2 forever serve http-server live-server json-server browser-sync localtunnel kill-port wait-on start-server-and-test
  tailwindcss postcss postcss-cli autoprefixer cssnano sass less styled-components clsx classnames class-variance-authority tailwind-merge
  bootstrap framer-motion three d3 chart.js recharts lucide-react react-icons sonner cmdk next-auth next-themes shadcn shadcn-ui
  jsonwebtoken bcrypt bcryptjs argon2 jose dompurify validator i18next react-i18next electron electron-builder
  npm npm-check npm-check-updates pnpm yarn bun corepack node-gyp n degit tiged license-checker source-map-explorer size-limit
  create-react-app create-next-app create-vite create-vue create-svelte create-astro create-expo-app create-t3-app create-remix create-turbo
  create-nx-workspace create-docusaurus create-solid create-hono create-electron-app create-tauri-app create-cloudflare create-payload-app create-strapi-app
  create-playwright create-jest create-storybook create-react-router create-nuxt sv nuxi
  typedoc jsdoc documentation openapi-typescript openapi-typescript-codegen swagger-ui-express json-schema-to-typescript quicktype
  mermaid vitepress vuepress docsify jscodeshift patch-package syncpack taze publint madge ts-prune type-fest
  ts-morph ts-loader babel-loader css-loader style-loader copyfiles cpy-cli del-cli sort-package-json skott dependency-cruiser sucrase uglify-js terser
  html-validate svgo web-ext vsce ovsx yo plop hygen gh-pages expo-doctor eas-cli
  eslint-config-prettier eslint-config-next eslint-config-airbnb eslint-config-airbnb-base eslint-plugin-react eslint-plugin-react-hooks
  eslint-plugin-import eslint-plugin-jsx-a11y eslint-plugin-prettier eslint-plugin-vue eslint-plugin-n eslint-plugin-unused-imports
  eslint-plugin-simple-import-sort eslint-plugin-react-refresh eslint-plugin-jest eslint-plugin-testing-library eslint-plugin-unicorn
  prettier-plugin-tailwindcss prettier-plugin-organize-imports tailwindcss-animate use-debounce usehooks-ts react-markdown remark-gfm remark-cli
  rehype-raw rehype-highlight highlight.js prismjs shiki react-hot-toast react-toastify react-select react-dropzone react-datepicker react-day-picker
  next-intl nuqs swr embla-carousel-react vaul input-otp gsap swiper leaflet react-leaflet mapbox-gl maplibre-gl vite-tsconfig-paths vite-plugin-pwa
  vite-plugin-dts unplugin-auto-import resend pino-http nestjs-pino http-errors express-rate-limit express-validator swagger-jsdoc jwt-decode qrcode
  netlify cloudinary socket.io-redis node-cron cron ioredis-mock pg-mem testcontainers jest-mock-extended ts-mockito fast-check`);

const NPM_SCOPES = words(`
  @types @babel @eslint @eslint-community @typescript-eslint @stylistic @angular @angular-eslint @vue @vueuse @nuxt @nuxtjs @nestjs @prisma @tanstack
  @radix-ui @mui @emotion @chakra-ui @mantine @headlessui @heroicons @fortawesome @floating-ui @dnd-kit @hookform @reduxjs @apollo @graphql-codegen
  @graphql-tools @trpc @hono @fastify @remix-run @react-router @react-native @react-native-community @react-navigation @expo @sveltejs @solidjs @astrojs
  @docusaurus @storybook @testing-library @playwright @vitejs @vitest @jest @rollup @swc @biomejs @parcel @esbuild @tailwindcss @iconify @unocss
  @aws-sdk @aws-cdk @aws-amplify @smithy @azure @google-cloud @firebase @supabase @cloudflare @netlify @vercel @next @clerk @auth @sentry @datadog
  @opentelemetry @elastic @octokit @actions @changesets @commitlint @semantic-release @lerna @nx @nrwl @microsoft @fluentui @shopify @salesforce
  @stripe @slack @discordjs @modelcontextprotocol @anthropic-ai @openai @google @ai-sdk @langchain @huggingface @tensorflow @mermaid-js @redocly
  @openapitools @apidevtools @stoplight @faker-js @sinonjs @electron @electron-forge @tauri-apps @capacitor @ionic @ngrx @lit @web @iarna
  @sindresorhus @antfu @tsconfig @total-typescript @arethetypeswrong @ianvs @trivago @sanity @strapi @payloadcms @directus @neondatabase @planetscale
  @libsql @upstash @drizzle-team @mikro-orm @turbo @yarnpkg @pnpm @npmcli @tiptap @bull-board @nestjs-modules @vercel-labs @react-email @react-three
  @react-pdf @uiw @codemirror @lexical @xyflow @visx @nivo @ant-design @grpc @bufbuild @connectrpc @formkit @primevue @primeuix @nuxt-modules @pinia`);

const PIP = words(`
  pip setuptools wheel build twine virtualenv pipx uv poetry pdm hatch hatchling flit pip-tools pipenv tox nox pre-commit cookiecutter
  pytest pytest-cov pytest-asyncio pytest-mock pytest-xdist pytest-django pytest-timeout coverage hypothesis faker factory-boy responses respx moto freezegun
  ruff black isort flake8 pylint mypy pyright bandit pyupgrade autopep8 yapf safety pip-audit vulture radon commitizen bumpver
  requests httpx aiohttp urllib3 beautifulsoup4 lxml scrapy selenium playwright websockets grpcio protobuf
  numpy pandas scipy matplotlib seaborn plotly scikit-learn statsmodels sympy polars pyarrow duckdb dask xgboost lightgbm torch torchvision tensorflow
  keras jax transformers datasets tokenizers accelerate sentence-transformers openai anthropic langchain langgraph llama-index tiktoken nltk spacy
  huggingface-hub opencv-python pillow imageio networkx jupyter jupyterlab notebook ipython ipykernel nbconvert tqdm joblib
  django djangorestframework django-environ django-extensions flask flask-cors flask-sqlalchemy fastapi uvicorn gunicorn starlette pydantic
  pydantic-settings sqlmodel sqlalchemy alembic psycopg psycopg2 psycopg2-binary asyncpg pymysql mysqlclient aiosqlite pymongo motor redis celery
  rq kombu kafka-python pika boto3 botocore awscli aws-sam-cli google-cloud-storage google-api-python-client azure-identity stripe twilio sentry-sdk
  click typer rich textual argcomplete python-dotenv pyyaml toml tomli tomlkit jinja2 markupsafe markdown mkdocs mkdocs-material sphinx docutils
  attrs orjson ujson jsonschema marshmallow python-dateutil pytz tzdata arrow pendulum cryptography bcrypt passlib pyjwt python-jose
  paramiko fabric ansible ansible-core invoke psutil watchdog loguru structlog tenacity cachetools regex tabulate openpyxl xlsxwriter python-docx pypdf
  reportlab weasyprint python-multipart email-validator streamlit gradio dash pgcli httpie yt-dlp docker semgrep checkov yamllint cython pybind11
  maturin cffi six packaging typing-extensions certifi charset-normalizer idna mcp aider-chat
  qrcode dbutils nbformat pytest-env pytest-benchmark pytest-httpx pytest-randomly types-requests types-pyyaml pandas-stubs django-stubs djlint geopandas
  shapely folium altair bokeh opencv-python-headless scikit-image onnxruntime ollama chromadb pinecone qdrant-client faiss-cpu pypdf2 pdfplumber`);

const CARGO = words(`
  serde serde_json serde_yaml toml tokio async-trait futures anyhow thiserror clap clap_derive log env_logger tracing tracing-subscriber rand regex
  chrono time uuid reqwest hyper axum actix-web tower tower-http warp rocket tonic prost sqlx diesel sea-orm rusqlite redis itertools rayon crossbeam
  once_cell lazy_static parking_lot dashmap bytes base64 hex sha2 url walkdir tempfile indicatif criterion proptest insta mockall wasm-bindgen bindgen
  cc libc syn quote proc-macro2 bitflags indexmap smallvec dirs nom pest ripgrep fd-find bat cargo-edit cargo-watch cargo-nextest cargo-audit
  cargo-deny cargo-outdated cargo-expand cargo-llvm-cov cargo-tarpaulin cargo-make cargo-release cargo-machete just mdbook trunk wasm-pack sqlx-cli
  diesel_cli sea-orm-cli tauri-cli cross sccache hyperfine tokei starship zoxide eza`);

const GEM = words(`
  bundler rails rake rspec rspec-rails minitest rubocop rubocop-rails rubocop-rspec brakeman pg mysql2 sqlite3 redis sidekiq puma unicorn sinatra
  rack devise pundit cancancan faker factory_bot factory_bot_rails capybara simplecov pry pry-byebug byebug debug nokogiri httparty faraday jekyll
  cocoapods fastlane solargraph ruby-lsp sorbet foreman dotenv kamal htmlbeautifier`);

const COMPOSER_VENDORS = words(
  'laravel symfony phpunit doctrine guzzlehttp monolog nesbot league ramsey phpstan friendsofphp squizlabs twig pestphp spatie livewire inertiajs filament barryvdh drupal wpackagist-plugin vimeo rector psr',
);
const GO_PLACES =
  /^(golang\.org\/x\/|google\.golang\.org\/|cloud\.google\.com\/go|k8s\.io\/|sigs\.k8s\.io\/|gorm\.io\/|gopkg\.in\/yaml|go\.uber\.org\/|go\.opentelemetry\.io\/|honnef\.co\/go\/tools|mvdan\.cc\/|connectrpc\.com\/|entgo\.io\/|github\.com\/(spf13|stretchr|gin-gonic|gorilla|labstack|go-chi|jackc|lib\/pq|go-sql-driver|mattn|redis|sirupsen|rs|google|golang|golangci|golang-migrate|hashicorp|aws|Azure|joho|urfave|charmbracelet|prometheus|grpc-ecosystem|bufbuild|sqlc-dev|pressly|air-verse|cosmtrek|goreleaser|go-delve|swaggo|vektra|onsi|testcontainers|docker|kubernetes|jmoiron|uber-go)\/)/;
const NUGET = words(
  'newtonsoft.json serilog automapper mediatr fluentvalidation fluentassertions moq nsubstitute xunit nunit dapper polly swashbuckle.aspnetcore npgsql stackexchange.redis coverlet.collector bogus hangfire csharpier dotnet-ef dotnet-outdated-tool dotnet-reportgenerator-globaltool',
);

/**
 * A package that everybody knows by this very name.
 * @param manager as in the effect: npm, pip, cargo, go, gem, composer, conda, nuget, deno
 * @param name the registry's name, without version
 */
export function isKnownPackage(manager: string, name: string): boolean {
  const scope = name.startsWith('@') ? name.slice(0, name.indexOf('/') < 0 ? undefined : name.indexOf('/')) : undefined;
  switch (manager) {
    case 'npm':
    case 'deno':
      return scope === undefined ? NPM.has(name) : NPM_SCOPES.has(scope);
    case 'pip':
    case 'conda':
      return PIP.has(name.toLowerCase().replace(/[-_.]+/g, '-'));
    case 'cargo':
      return CARGO.has(name) || CARGO.has(name.replace(/-/g, '_'));
    case 'gem':
      return GEM.has(name);
    case 'composer':
      return COMPOSER_VENDORS.has(name.split('/', 1)[0] ?? '');
    case 'go':
      return GO_PLACES.test(name);
    case 'nuget': {
      const lower = name.toLowerCase();
      return NUGET.has(lower) || /^(microsoft|system|azure|aspnetcore|awssdk|serilog|opentelemetry|xunit)\./.test(lower);
    }
    default:
      return false;
  }
}
